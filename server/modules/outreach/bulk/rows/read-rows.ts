import { withoutFormulaGuard } from '#contracts/formula-guard.ts';
import { guessFields } from '#contracts/guess-fields.ts';
import { maxTextLength } from '#contracts/message-content.ts';
import { readNumber, type ReadNumber, withoutDecimal } from '#contracts/read-number.ts';
import { digitsOfWritten } from '#contracts/understand-number.ts';
import type { CsvRecord } from '#contracts/csv-parser.ts';
import { readCsv } from '#server/platform/csv/read-csv.ts';
import { numberPlans } from '#server/platform/number-plans.ts';
import { ProblemError } from '#server/platform/errors.ts';
import type { NewRow } from './insert-rows.ts';

const maxFileBytes = 64 * 1024 * 1024;
export const maxRows = 250_000;
const limits = { maxCellLength: maxTextLength, maxCells: 100 };

/** A column that says which row of another file this one is. */
const numberColumn = '#row';

const invalidCsv = (message: string) => new ProblemError(422, 'invalid_csv', message);
const tooLarge = (message: string) => new ProblemError(413, 'file_too_large', message);

type Header = { columns: string[]; placeholders: string[]; places: Places };

/** Where those columns are that the reading of a row goes by, under whatever name. */
type Places = ReadonlyMap<string, number>;

const knownFields = ['phone', 'country_code', 'name', 'first_name', 'last_name'];
export type RowsOfFile = { columns: readonly string[]; rows: AsyncGenerator<NewRow> };

type Reading = {
  /** Reads what is no full number. */
  defaultCountry: string | null;
  /** Answers the digits that the account knows as full numbers. */
  findKnown: (digits: readonly string[]) => Promise<ReadonlySet<string>>;
};

/** So many rows are looked up at once. */
const batchSize = 1000;

/**
 * Reads a file's header, and its rows as they are taken: memory holds a batch. Rows without a phone are left out, and so are
 * those without a country code where the file has such a column; else numbers that the account knows stand as full digits,
 * and `defaultCountry` reads what is no full number. Throws 422 `invalid_csv` and 413 `file_too_large`.
 */
export async function readRows(file: AsyncIterable<Uint8Array>, reading: Reading): Promise<RowsOfFile> {
  const records = readCsv(withinSize(file), limits);
  const header = await readHeader(records);
  return { columns: header.placeholders, rows: rowsOf(records, header, reading) };
}

async function readHeader(records: AsyncGenerator<CsvRecord>): Promise<Header> {
  const { value: record } = await records.next();
  if (!record) throw invalidCsv('CSV appears empty or invalid');
  if (record.problem !== undefined) throw invalidCsv(`The header row cannot be read: ${record.problem}`);
  const columns = record.cells.map((cell: string) => textOf(cell).toLowerCase());
  const places = placesOf(columns);
  if (!places.has('phone')) throw invalidCsv('Missing required headers: phone');
  const named = columns.filter((name: string) => name !== '' && name !== numberColumn);
  const hasNames = places.has('first_name') || places.has('last_name');
  const found = [...places.keys(), ...(hasNames ? ['name'] : [])];
  return { columns, placeholders: [...new Set([...named, ...found])], places };
}

/** By their own names, else by those that imports know them by. */
function placesOf(columns: readonly string[]): Places {
  const guessed = guessFields(columns, []);
  const placeOf = (field: string) => [columns.indexOf(field), guessed.indexOf(field)].find((index) => index !== -1);
  return new Map(
    knownFields.flatMap((field) => {
      const place = placeOf(field);
      return place === undefined ? [] : [[field, place] as const];
    }),
  );
}

type ReadRow = { row: number; phone: string; number: ReadNumber; fields: NewRow['fields'] };

async function* rowsOf(
  records: AsyncGenerator<CsvRecord>,
  { columns, places }: Header,
  { defaultCountry, findKnown }: Reading,
): AsyncGenerator<NewRow> {
  const named = places.has('country_code');
  let batch: ReadRow[] = [];
  const settle = async (): Promise<NewRow[]> => {
    const read = batch;
    batch = [];
    const known = named ? new Set<string>() : await findKnown(read.map(({ phone }) => digitsOfWritten(phone).digits));
    return read.map(({ row, phone, number, fields }) => {
      const isKnown = known.has(digitsOfWritten(phone).digits);
      const { to, problem } = isKnown
        ? (readNumber({ countryCode: undefined, phone, defaultCountry, isKnown }, numberPlans) ?? number)
        : number;
      return { row, to, isValid: problem === undefined, fields };
    });
  };
  let place = 0;
  let last = 0;
  for await (const record of records) {
    if (record.problem !== undefined) throw invalidCsv(`Row ${place + 1} cannot be read: ${record.problem}`);
    if (record.cells.every((cell) => cell.trim() === '')) continue;
    place += 1;
    if (place > maxRows) throw tooLarge(`A run may have at most ${maxRows.toLocaleString('en')} rows`);
    const fields = fieldsOf(columns, places, record.cells);
    const countryCode = named ? (fields['country_code'] ?? '') : undefined;
    const phone = withoutDecimal(fields['phone'] ?? '');
    const number = readNumber({ countryCode, phone, defaultCountry }, numberPlans);
    if (!number) continue;
    const row = Math.max(last + 1, rowNumberOf(columns, record.cells) ?? place);
    last = row;
    batch.push({ row, phone, number, fields });
    if (batch.length === batchSize) yield* await settle();
  }
  yield* await settle();
}

/** Rows go in their order, so that a number that does not grow is none. */
function rowNumberOf(columns: readonly string[], cells: readonly string[]): number | undefined {
  const index = columns.indexOf(numberColumn);
  const text = index === -1 ? '' : (cells[index]?.trim() ?? '');
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined;
}

/** As imports read it: files that we wrote come back. */
const textOf = (cell: string | undefined) => withoutFormulaGuard(cell ?? '').trim();

/** By column; of two with one name the first counts. A name may come in two parts. */
function fieldsOf(
  columns: readonly string[],
  places: Places,
  cells: readonly string[],
): Partial<Record<string, string>> {
  // Without a prototype a column of any name is its own, `__proto__` as well.
  const fields = Object.create(null) as Partial<Record<string, string>>;
  columns.forEach((name, index) => {
    if (name !== '' && name !== numberColumn && !Object.hasOwn(fields, name)) fields[name] = textOf(cells[index]);
  });
  for (const [field, place] of places) {
    if (!Object.hasOwn(fields, field)) fields[field] = textOf(cells[place]);
  }
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
