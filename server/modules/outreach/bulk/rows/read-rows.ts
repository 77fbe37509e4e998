import { maxTextLength } from '#contracts/message-content.ts';
import { readNumber } from '#contracts/read-number.ts';
import type { CsvRecord } from '#server/platform/csv/csv-parser.ts';
import { readCsv } from '#server/platform/csv/read-csv.ts';
import { ProblemError } from '#server/platform/errors.ts';
import type { NewRow } from './insert-rows.ts';
import { numberingPlans } from './numbering-plans.ts';

const maxFileBytes = 64 * 1024 * 1024;
export const maxRows = 250_000;
const limits = { maxCellLength: maxTextLength, maxCells: 100 };

/** A column that says which row of another file this one is. */
const numberColumn = '#row';

const invalidCsv = (message: string) => new ProblemError(422, 'invalid_csv', message);
const tooLarge = (message: string) => new ProblemError(413, 'file_too_large', message);

type Header = { columns: string[]; placeholders: string[] };
export type RowsOfFile = { columns: readonly string[]; rows: AsyncGenerator<NewRow> };

/**
 * Reads a file's header, and its rows as they are taken: memory holds one. Rows without a country code or a phone are
 * left out. Throws 422 `invalid_csv` and 413 `file_too_large`.
 */
export async function readRows(file: AsyncIterable<Uint8Array>): Promise<RowsOfFile> {
  const records = readCsv(withinSize(file), limits);
  const header = await readHeader(records);
  return { columns: header.placeholders, rows: rowsOf(records, header) };
}

async function readHeader(records: AsyncGenerator<CsvRecord>): Promise<Header> {
  const { value: record } = await records.next();
  if (!record) throw invalidCsv('CSV appears empty or invalid');
  if (record.problem !== undefined) throw invalidCsv(`The header row cannot be read: ${record.problem}`);
  const columns = record.cells.map((cell: string) => cell.trim().toLowerCase());
  const missing = ['country_code', 'phone'].filter((name) => !columns.includes(name));
  if (missing.length > 0) throw invalidCsv(`Missing required headers: ${missing.join(', ')}`);
  const named = columns.filter((name: string) => name !== '' && name !== numberColumn);
  const hasNames = columns.includes('first_name') || columns.includes('last_name');
  return { columns, placeholders: [...new Set([...named, ...(hasNames ? ['name'] : [])])] };
}

async function* rowsOf(records: AsyncGenerator<CsvRecord>, { columns }: Header): AsyncGenerator<NewRow> {
  let place = 0;
  let last = 0;
  for await (const record of records) {
    if (record.problem !== undefined) throw invalidCsv(`Row ${place + 1} cannot be read: ${record.problem}`);
    if (record.cells.every((cell) => cell.trim() === '')) continue;
    place += 1;
    if (place > maxRows) throw tooLarge(`A run may have at most ${maxRows.toLocaleString('en')} rows`);
    const fields = fieldsOf(columns, record.cells);
    const number = readNumber(fields['country_code'] ?? '', fields['phone'] ?? '', numberingPlans);
    if (!number) continue;
    const row = Math.max(last + 1, rowNumberOf(columns, record.cells) ?? place);
    last = row;
    yield { row, to: number.to, isValid: number.problem === undefined, fields };
  }
}

/** Rows go in their order, so that a number that does not grow is none. */
function rowNumberOf(columns: readonly string[], cells: readonly string[]): number | undefined {
  const index = columns.indexOf(numberColumn);
  const text = index === -1 ? '' : (cells[index]?.trim() ?? '');
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** By column; of two with one name the first counts. A name may come in two parts. */
function fieldsOf(columns: readonly string[], cells: readonly string[]): Partial<Record<string, string>> {
  const fields: Partial<Record<string, string>> = {};
  columns.forEach((name, index) => {
    if (name !== '' && name !== numberColumn && !Object.hasOwn(fields, name)) fields[name] = cells[index]?.trim() ?? '';
  });
  const parts = `${fields.first_name ?? ''} ${fields.last_name ?? ''}`.trim();
  return parts === '' || fields.name ? fields : { ...fields, name: parts };
}

async function* withinSize(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const part of file) {
    size += part.length;
    if (size > maxFileBytes) throw tooLarge('A file may have at most 64 MiB');
    yield part;
  }
}
