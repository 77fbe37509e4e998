import { clsx } from 'clsx';
import { FileSpreadsheet } from 'lucide-react';
import { useRef } from 'react';
import { useFileDrop } from '#web/shared/form/use-file-drop.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { formatBytes } from './format-bytes.ts';
import type { Upload } from './run/run-storage.ts';

type LoadedFileProps = {
  upload: Upload;
  /** Another file is being read. */
  busy: boolean;
  problem: string | undefined;
  onFile: (file: File) => void;
  onRemove: () => void;
};

/** The file that is loaded; another takes its place when it is picked or dropped. */
export function LoadedFile({ upload, busy, problem, onFile, onRemove }: LoadedFileProps) {
  const input = useRef<HTMLInputElement>(null);
  const { isOver, handlers } = useFileDrop(onFile, busy);
  return (
    <>
      <div
        role="group"
        aria-label="Loaded file"
        {...handlers}
        className={clsx(
          'flex flex-wrap items-center gap-x-3 gap-y-1 rounded-base border border-dashed py-2 pr-2 pl-3 transition-colors',
          isOver ? 'border-accent bg-accent-subtle' : 'border-control bg-sunken',
        )}
      >
        <FileSpreadsheet aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <div className="min-w-0 flex-1 basis-32">
          <p dir="auto" className="truncate text-left font-medium">
            {upload.fileName}
          </p>
          <p className="text-12 text-muted tabular-nums">{isOver ? 'Drop to replace it' : factsOf(upload)}</p>
        </div>
        <input
          ref={input}
          type="file"
          accept=".csv"
          hidden
          onChange={({ target }) => {
            const file = target.files?.[0];
            // The same file can be chosen again once it has been mended.
            target.value = '';
            if (file !== undefined) onFile(file);
          }}
        />
        <div className="flex">
          <Button variant="ghost" size="small" busy={busy} onClick={() => input.current?.click()}>
            Replace
          </Button>
          <Button variant="ghost" size="small" disabled={busy} onClick={onRemove}>
            Remove
          </Button>
        </div>
      </div>
      {problem !== undefined && (
        <p role="alert" className="text-13 text-red-ink">
          {problem}
        </p>
      )}
    </>
  );
}

function factsOf({ contacts, skipped, fileBytes }: Upload): string {
  const invalid = contacts.filter((contact) => contact.problem !== undefined).length;
  const facts = [
    `${contacts.length.toLocaleString('en')} ${contacts.length === 1 ? 'row' : 'rows'}`,
    formatBytes(fileBytes),
  ];
  if (invalid > 0) facts.push(`${invalid.toLocaleString('en')} invalid`);
  if (skipped > 0) facts.push(`${skipped.toLocaleString('en')} skipped without a number or country code`);
  return facts.join(' · ');
}
