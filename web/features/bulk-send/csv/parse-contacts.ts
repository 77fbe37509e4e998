import { readNumber } from '#contracts/read-number.ts';
import { suggestCountry } from '#contracts/suggest-country.ts';
import type { Contact, ContactList } from './contact.ts';
import { CsvError } from './csv-error.ts';
import { columnNames, namedColumns, suggestColumns, type FileColumns } from './file-columns.ts';
import { numberingPlans } from './numbering-plans.ts';
import { readTable, type Table } from './read-table.ts';

/** How a file is read whose headers do not say it. */
export type FilePlan = { columns: FileColumns; country: string | null };

/** The question to answer before such a file is read. */
export type FileQuestion = {
  headers: string[];
  /** The first few cells of each column. */
  samples: string[][];
  columns: FileColumns;
  /** Of most of the numbers that are full numbers. */
  country: string | null;
  /** Numbers in the suggested column that are no full numbers. */
  unclear: number;
};

export type ParsedFile = { kind: 'contacts'; list: ContactList } | { kind: 'question'; question: FileQuestion };

/**
 * Reads contacts from CSV text: by the headers of the specification, else by a plan, without which it asks for one.
 * Throws `CsvError` when there are no data rows, and when no column holds numbers.
 */
export function parseContacts(text: string, plan?: FilePlan): ParsedFile {
  const table = readTable(text);
  const named = namedColumns(table.headers);
  const read = plan ?? (named && { columns: named, country: null });
  if (read === undefined) return { kind: 'question', question: questionOf(table) };
  const contacts = table.rows.flatMap((row) => readContact(table, row, read) ?? []);
  if (contacts.length === 0) throw new CsvError('empty', 'CSV appears empty or invalid');
  const found = columnNames.filter((name) => read.columns[name] !== null);
  const hasNames = read.columns.first_name !== null || read.columns.last_name !== null;
  const columns = [...table.headers.filter((header) => header !== ''), ...found, ...(hasNames ? ['name'] : [])];
  return {
    kind: 'contacts',
    list: {
      contacts,
      columns: [...new Set(columns)],
      skipped: table.rows.length - contacts.length,
      defaultCountry: read.country,
    },
  };
}

function questionOf(table: Table): FileQuestion {
  const columns = suggestColumns(table);
  if (columns.phone === null) {
    const missing = ['country_code', 'phone'].filter((header) => !table.headers.includes(header));
    throw new CsvError('headers', `Missing required headers: ${missing.join(', ')}`);
  }
  const plan = { columns, country: null };
  const numbers = table.rows.flatMap((row) => readContact(table, row, plan) ?? []);
  return {
    headers: table.headers,
    samples: table.headers.map((_, place) => table.rows.flatMap(({ cells }) => cells[place] || []).slice(0, 3)),
    columns,
    country: suggestCountry(
      numbers.map(({ phone }) => phone),
      numberingPlans,
    ),
    unclear: columns.country_code === null ? numbers.filter(({ problem }) => problem !== undefined).length : 0,
  };
}

function readContact(
  { headers }: Table,
  { row, cells }: Table['rows'][number],
  { columns, country }: FilePlan,
): Contact | undefined {
  const cellOf = (name: keyof FileColumns) => {
    const place = columns[name];
    return place === null ? '' : (cells[place] ?? '');
  };
  const countryCode = columns.country_code === null ? undefined : cellOf('country_code');
  const phone = cellOf('phone');
  const number = readNumber({ countryCode, phone, defaultCountry: country }, numberingPlans);
  if (number === undefined) return undefined;
  const fields: Partial<Record<string, string>> = {};
  headers.forEach((header, place) => {
    if (header !== '' && !Object.hasOwn(fields, header)) fields[header] = cells[place] ?? '';
  });
  for (const name of columnNames) if (columns[name] !== null) fields[name] = cellOf(name);
  const name = cellOf('name') || `${cellOf('first_name')} ${cellOf('last_name')}`.trim();
  fields['name'] = name;
  return { row, country_code: countryCode ?? '', phone, name, shop: cellOf('shop'), fields, ...number };
}
