import { CircleAlert, Paperclip } from 'lucide-react';
import { useRef, type ReactNode } from 'react';
import { Button } from '#web/shared/ui/button.tsx';
import { AttachmentCard } from './attachment-card.tsx';
import { CarriedCard } from './carried-card.tsx';
import { carriedTypes, type CarriedFile } from './carried-file.ts';
import { chooseFile } from './choose-file.ts';

type CarriedFileFieldProps = {
  file: CarriedFile;
  /** The server's error about the file. */
  error?: string | undefined;
  /** The field of the text that stands below the file. */
  children: ReactNode;
};

/** A message's text and the one file that goes with it: chosen, or pasted here. Where it is dropped, a form says itself. */
export function CarriedFileField({ file, error, children }: CarriedFileFieldProps) {
  const { attach, isOff } = file;
  return (
    <div onPaste={attach.handlePaste} className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3">
      {children}
      {(!isOff || file.hasFile) && <FileRow file={file} error={error} />}
    </div>
  );
}

function FileRow({ file, error }: Pick<CarriedFileFieldProps, 'file' | 'error'>) {
  const { attach, value, isOff, remove } = file;
  const { attachment } = attach;
  const button = useRef<HTMLButtonElement>(null);

  /** The focus stays here once the button that had it is gone. */
  const andFocus = (act: () => void) => () => {
    act();
    button.current?.focus();
  };

  return (
    <div role="group" aria-label="Attached file" className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-2">
      {value !== null && attachment?.state !== 'uploading' && (
        <CarriedCard media={value} onRemove={isOff ? undefined : andFocus(remove)} />
      )}
      <AttachmentCard attach={{ ...attach, remove: andFocus(attach.remove) }} />
      {error !== undefined && (
        <p role="alert" className="flex gap-1.5 text-13 text-red-ink">
          <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
      {!isOff && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Button
            ref={button}
            size="small"
            icon={<Paperclip aria-hidden="true" className="size-3.5" />}
            onClick={() => chooseFile(carriedTypes, attach.attach)}
          >
            {value === null && attachment === undefined ? 'Attach a file' : 'Replace the file'}
          </Button>
          {value === null && attachment === undefined && (
            <span className="text-13 text-muted">A picture, a video or a document, above the text.</span>
          )}
        </div>
      )}
    </div>
  );
}
