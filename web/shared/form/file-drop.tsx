import { clsx } from 'clsx';
import { CircleAlert, FileUp } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { Spinner } from '../ui/spinner.tsx';
import { useFileDrop } from './use-file-drop.ts';

type FileDropProps = {
  label: string;
  hint?: ReactNode;
  /** As the platform's file dialog takes it: '.csv'. */
  accept: string;
  onFile: (file: File) => void;
  /** The work that is under way with a file. */
  busy?: string | undefined;
  error?: string | undefined;
};

/** Takes a file, chosen or dropped. */
export function FileDrop({ label, hint, accept, onFile, busy, error }: FileDropProps) {
  const id = useId();
  const { isOver, handlers } = useFileDrop(onFile, busy !== undefined);

  return (
    <div className="grid gap-2">
      <label
        {...handlers}
        className={clsx(
          'grid justify-items-center gap-1 rounded-base border border-dashed border-control px-6 py-10 text-center transition-colors',
          'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
          isOver && 'border-accent bg-accent-subtle',
          busy === undefined && 'cursor-pointer hover:bg-hover',
        )}
      >
        <input
          type="file"
          accept={accept}
          disabled={busy !== undefined}
          aria-describedby={clsx(hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`) || undefined}
          onChange={({ target }) => {
            const file = target.files?.[0];
            // The same file can be chosen again once it has been mended.
            target.value = '';
            if (file !== undefined) onFile(file);
          }}
          className="sr-only"
        />
        <span className="mb-2 grid size-10 place-items-center rounded-base border bg-surface text-muted shadow-control">
          {busy === undefined ? <FileUp aria-hidden="true" className="size-4.5" /> : <Spinner />}
        </span>
        <span className="font-semibold">{busy ?? label}</span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="max-w-[60ch] text-13 text-pretty text-muted">
            {hint}
          </span>
        )}
      </label>
      {error !== undefined && (
        <p id={`${id}-error`} role="alert" className="flex gap-1.5 text-13 text-red-ink">
          <CircleAlert aria-hidden="true" className="mt-0.75 size-3.5 shrink-0" />
          {error}
        </p>
      )}
    </div>
  );
}
