import { isShortenedNumber, withoutDecimal } from '#contracts/read-number.ts';
import { cutText } from '#contracts/shorten-text.ts';
import type { RejectedLine, SuppressionImport } from '#contracts/suppressions.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';
import { suppressNumbers } from '#server/modules/audience/suppressions/index.ts';
import { understandNumbers } from '#server/modules/numbers/reading/index.ts';
import { CsvError } from '#contracts/csv-error.ts';
import type { CsvRecord } from '#contracts/csv-parser.ts';
import { withoutFormulaGuard } from '#contracts/formula-guard.ts';
import { readCsv } from '#server/platform/csv/read-csv.ts';
import { ProblemError } from '#server/platform/errors.ts';

const maxFileBytes = 50 * 1024 * 1024;
const maxRows = 1_000_000;
const limits = { maxCellLength: 4_096, maxCells: 100 };

/** The most numbers that one transaction puts on the list: the account's phones wait for it. */
const maxChunkRows = 500;

const maxRejectedLines = 100;

const notClear = 'Not clear which country this number is of: write it with + and the country';
const maxNoteLength = 500;

type Numbered = { line: number; written: string; note: string | null };
type Columns = { phone: number; note: number | undefined };

/**
 * Puts the numbers of a CSV file on the list as they come, some hundreds at a time: what was read before a file turns out
 * to be broken or too large stays there, and the same file again does no harm. The number is in the column `phone`, or
 * in the first one; a file may be bare numbers without a header. Throws 413 `file_too_large`, 422 `invalid_csv`.
 */
export async function importSuppressions(
  ctx: AccountContext,
  file: AsyncIterable<Uint8Array>,
): Promise<SuppressionImport> {
  const rejected: RejectedLine[] = [];
  const outcome = { added: 0, already: 0, rejected: 0 };
  let chunk: Numbered[] = [];

  function reject(line: number, reason: string): void {
    outcome.rejected += 1;
    if (rejected.length < maxRejectedLines) rejected.push({ line, reason });
  }

  async function store(): Promise<void> {
    const lines = chunk;
    chunk = [];
    const understood = await understandNumbers(ctx, lines);
    const numbers = lines.flatMap(({ line, note }, index) => {
      const number = understood[index];
      if (number?.kind === 'clear') return [{ phone: number.number, note }];
      reject(line, number?.kind === 'not_clear' ? notClear : 'Invalid number');
      return [];
    });
    const keys = new Set(numbers.map(({ phone }) => phoneKey(phone)));
    const added = await inTransaction(ctx, (tx) =>
      suppressNumbers(tx, { accountId: ctx.account.id, numbers, by: 'import' }),
    );
    outcome.added += added.size;
    outcome.already += keys.size - added.size;
  }

  try {
    let columns: Columns | undefined;
    let line = 0;
    for await (const record of readCsv(withinSize(file), limits)) {
      line += 1;
      if (line > maxRows) throw tooLarge('A file may have at most 1,000,000 rows');
      if (!columns) {
        columns = columnsOf(record);
        if (!isNumber(record.cells[columns.phone])) continue;
      }
      const read = readRecord(record, columns);
      if (typeof read === 'string') reject(line, read);
      else chunk.push({ line, ...read });
      if (chunk.length >= maxChunkRows) await store();
    }
    if (line === 0) throw new CsvError('CSV appears empty or invalid');
    await store();
  } catch (error) {
    throw error instanceof CsvError ? new ProblemError(422, 'invalid_csv', error.message) : error;
  }
  return { ...outcome, rejected_lines: rejected.toSorted((a, b) => a.line - b.line) };
}

const tooLarge = (message: string) => new ProblemError(413, 'file_too_large', message);

async function* withinSize(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of file) {
    size += part.length;
    if (size > maxFileBytes) throw tooLarge('A file may have at most 50 MiB');
    yield part;
  }
}

const phoneHeader = /^(phone|mobile|cell|tel|whatsapp|number|msisdn)/i;

function columnsOf({ cells }: CsvRecord): Columns {
  const headers = cells.map((cell) => cell.trim());
  const note = headers.findIndex((header) => header.toLowerCase() === 'note');
  const phone = headers.findIndex((header) => header.toLowerCase() === 'phone');
  const alike = headers.findIndex((header) => phoneHeader.test(header));
  return { phone: phone === -1 ? Math.max(0, alike) : phone, note: note === -1 ? undefined : note };
}

const cellOf = (cell: string | undefined) => withoutFormulaGuard(cell ?? '').trim();

/** A header holds words, or nothing. */
const isNumber = (cell: string | undefined) => /^[+(\p{Nd}][\p{Nd}\s().-]{5,}$/u.test(cellOf(cell));

/** The number of a line, or why there is none. */
function readRecord({ cells, problem }: CsvRecord, { phone, note }: Columns): Omit<Numbered, 'line'> | string {
  if (problem !== undefined) return problem;
  const given = withoutDecimal(cellOf(cells[phone]));
  if (given === '') return 'The phone number is missing';
  if (isShortenedNumber(given)) {
    return 'The number was shortened by a spreadsheet: format the column as text';
  }
  if (given.length > 40) return 'Invalid number';
  const text = note === undefined ? '' : cutText(cellOf(cells[note]), maxNoteLength);
  return { written: given, note: text.isWellFormed() && text !== '' ? text : null };
}
