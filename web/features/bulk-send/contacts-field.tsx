import { FileSpreadsheet } from 'lucide-react';
import { useRef, useState } from 'react';
import { FileDrop } from '#web/shared/form/file-drop.tsx';
import { Button } from '#web/shared/ui/button.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { CsvError } from './csv/csv-error.ts';
import { readContacts } from './csv/read-contacts.ts';
import { formatBytes } from './format-bytes.ts';
import { loadContacts, type BulkSend } from './run/bulk-send.ts';
import type { Upload } from './run/run-storage.ts';

type ContactsFieldProps = { bulkSend: BulkSend; upload: Upload | undefined; disabled: boolean };

/** The file of contacts: dropped or picked, then replaced. */
export function ContactsField({ bulkSend, upload, disabled }: ContactsFieldProps) {
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string>();

  async function handleFile(file: File): Promise<void> {
    setProblem(undefined);
    if (!file.name.toLowerCase().endsWith('.csv')) return notify.error('Please upload a .csv file');
    setReading(true);
    try {
      const list = await readContacts(file);
      notify.success(`Loaded ${list.contacts.length} rows`);
      await loadContacts(bulkSend, { file, list });
    } catch (error) {
      notify.error(failureText(error));
      if (error instanceof CsvError && error.reason === 'headers') setProblem(error.message);
    } finally {
      setReading(false);
    }
  }

  return (
    <div className="grid min-w-0 gap-1.5">
      <span className="text-13 font-medium">Contacts</span>
      {upload === undefined ? (
        <FileDrop
          label="Choose a CSV file, or drop it here"
          hint="With a header row that names country_code and phone. Optional: name (or first_name and last_name) and shop."
          accept=".csv"
          busy={isReading ? 'Reading...' : undefined}
          error={problem}
          onFile={(file) => void handleFile(file)}
        />
      ) : (
        <LoadedFile
          upload={upload}
          busy={isReading}
          disabled={disabled}
          problem={problem}
          onFile={(file) => void handleFile(file)}
        />
      )}
    </div>
  );
}

function failureText(error: unknown): string {
  if (!(error instanceof CsvError)) return 'Failed to read file';
  return error.reason === 'empty' ? error.message : 'Failed to parse CSV';
}

type LoadedFileProps = {
  upload: Upload;
  busy: boolean;
  disabled: boolean;
  problem: string | undefined;
  onFile: (file: File) => void;
};

function LoadedFile({ upload, busy, disabled, problem, onFile }: LoadedFileProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <div className="flex items-center gap-3 rounded-base border border-dashed border-control bg-sunken py-2 pr-2 pl-3">
        <FileSpreadsheet aria-hidden="true" className="size-4 shrink-0 text-muted" />
        <div className="min-w-0 flex-1">
          <p className="truncate font-medium">{upload.fileName}</p>
          <p className="text-12 text-muted tabular-nums">{factsOf(upload)}</p>
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
        <Button variant="ghost" size="small" busy={busy} disabled={disabled} onClick={() => input.current?.click()}>
          Replace
        </Button>
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
  if (skipped > 0) facts.push(`${skipped.toLocaleString('en')} skipped without a number`);
  return facts.join(' · ');
}
