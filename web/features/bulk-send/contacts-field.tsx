import { useState } from 'react';
import { errorText } from '#web/shared/api-error.ts';
import { FileDrop } from '#web/shared/form/file-drop.tsx';
import { notify } from '#web/shared/ui/toast-store.ts';
import { ColumnsDialog } from './columns-dialog.tsx';
import type { ContactList } from './csv/contact.ts';
import { CsvError } from './csv/csv-error.ts';
import type { FilePlan, FileQuestion, ParsedFile } from './csv/parse-contacts.ts';
import { readContacts } from './csv/read-contacts.ts';
import { withKnownNumbers } from './known-numbers.ts';
import { LoadedFile } from './loaded-file.tsx';
import { LoseRowsDialog, type Loss } from './lose-rows-dialog.tsx';
import { loadContacts, removeContacts, type BulkSend } from './run/bulk-send.ts';
import { endRun } from './run/run.ts';
import type { Upload } from './run/run-storage.ts';

type ContactsFieldProps = {
  bulkSend: BulkSend;
  upload: Upload | undefined;
  /** Rows are being sent to, or will be once the run is resumed. */
  isRunOpen: boolean;
  /** Some rows have been sent to. */
  hasResults: boolean;
};

export const dropTexts = {
  label: 'Choose a CSV file, or drop it here',
  hint: 'With a header row. Columns country_code, phone, name (or first_name and last_name) and shop are found by their names; you can choose others.',
};

type ReadFile = { file: File; list: ContactList };
type AskedFile = { file: File; question: FileQuestion };

/** The file of contacts: dropped or picked, then replaced or removed; asks first where that ends a run. */
export function ContactsField({ bulkSend, upload, isRunOpen, hasResults }: ContactsFieldProps) {
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState<string>();
  const [unmapped, setUnmapped] = useState<AskedFile>();
  const [asked, setAsked] = useState<{ loss: Loss; go: () => Promise<void> }>();

  async function handleFile(file: File): Promise<void> {
    setProblem(undefined);
    if (!file.name.toLowerCase().endsWith('.csv')) return notify.error('Please upload a .csv file');
    await load(file);
  }

  async function load(file: File, plan?: FilePlan): Promise<void> {
    const parsed = await read(file, plan);
    if (parsed === undefined) return;
    if (parsed.kind === 'question') return setUnmapped({ file, question: parsed.question });
    const { list } = parsed;
    if (isRunOpen) setAsked({ loss: 'replace-running', go: () => replace({ file, list }) });
    else await replace({ file, list });
  }

  async function read(file: File, plan: FilePlan | undefined): Promise<ParsedFile | undefined> {
    setReading(true);
    try {
      const parsed = await readContacts(file, plan);
      return parsed.kind === 'contacts' ? { ...parsed, list: await withKnownNumbers(parsed.list) } : parsed;
    } catch (error) {
      notify.error(failureText(error));
      if (error instanceof CsvError && error.reason === 'headers') setProblem(error.message);
      return undefined;
    } finally {
      setReading(false);
    }
  }

  async function replace(given: ReadFile): Promise<void> {
    if (!(await hasEnded())) return;
    notify.success(`Loaded ${given.list.contacts.length.toLocaleString('en')} rows`);
    await loadContacts(bulkSend, given);
  }

  /** Where the run cannot be stopped the file stays. */
  async function hasEnded(): Promise<boolean> {
    try {
      await endRun(bulkSend);
      return true;
    } catch (error) {
      notify.error(errorText(error, 'The run could not be stopped'));
      return false;
    }
  }

  async function remove(): Promise<void> {
    if (!(await hasEnded())) return;
    await removeContacts(bulkSend);
    setProblem(undefined);
  }

  function handleRemove(): void {
    if (isRunOpen) setAsked({ loss: 'remove-running', go: remove });
    else if (hasResults) setAsked({ loss: 'remove-results', go: remove });
    else void remove();
  }

  return (
    <div className="grid min-w-0 gap-1.5">
      <span className="text-13 font-medium">Contacts</span>
      {upload === undefined ? (
        <FileDrop
          {...dropTexts}
          accept=".csv"
          busy={isReading ? 'Reading...' : undefined}
          error={problem}
          onFile={(file) => void handleFile(file)}
        />
      ) : (
        <LoadedFile
          upload={upload}
          busy={isReading}
          problem={problem}
          onFile={(file) => void handleFile(file)}
          onRemove={handleRemove}
        />
      )}
      {unmapped !== undefined && (
        <ColumnsDialog
          fileName={unmapped.file.name}
          question={unmapped.question}
          onClose={() => setUnmapped(undefined)}
          onChosen={(plan) => {
            setUnmapped(undefined);
            void load(unmapped.file, plan);
          }}
        />
      )}
      {asked !== undefined && (
        <LoseRowsDialog
          loss={asked.loss}
          fileName={upload?.fileName ?? ''}
          onClose={() => setAsked(undefined)}
          onConfirm={asked.go}
        />
      )}
    </div>
  );
}

function failureText(error: unknown): string {
  if (!(error instanceof CsvError)) return 'Failed to read file';
  return error.reason === 'empty' ? error.message : 'Failed to parse CSV';
}
