import Papa from 'papaparse';
import type { Contact, ContactList } from './contact.ts';
import { CsvError } from './csv-error.ts';
import { numberingPlans } from './numbering-plans.ts';
import { readNumber } from '#contracts/read-number.ts';

const requiredHeaders = ['country_code', 'phone'];

/** Spreadsheets name the delimiter in a line of its own. */
const delimiterLine = /^sep=(.)\r?\n/i;

type Fields = Partial<Record<string, string>>;

/**
 * Reads contacts from CSV text; commas, semicolons or tabs part its columns.
 * Throws `CsvError` when there are no data rows or when headers are missing.
 */
export function parseContacts(text: string): ContactList {
  const content = text.replace(/^\uFEFF/, '').replace(delimiterLine, '');
  const { data, meta } = Papa.parse<Fields>(content, {
    header: true,
    skipEmptyLines: 'greedy',
    delimitersToGuess: [',', ';', '\t'],
    transformHeader: (header) => header.trim().toLowerCase(),
  });
  if (data.length === 0) throw new CsvError('empty', 'CSV appears empty or invalid');
  const missing = requiredHeaders.filter((header) => !meta.fields?.includes(header));
  if (missing.length > 0) throw new CsvError('headers', `Missing required headers: ${missing.join(', ')}`);

  const contacts = data.flatMap((fields, index) => readContact(fields, index + 1) ?? []);
  if (contacts.length === 0) throw new CsvError('empty', 'CSV appears empty or invalid');
  const columns = (meta.fields ?? []).filter((column) => column !== '');
  return { contacts, columns, skipped: data.length - contacts.length };
}

function readContact(fields: Fields, row: number): Contact | undefined {
  const countryCode = textOf(fields, 'country_code');
  const phone = textOf(fields, 'phone');
  const number = readNumber(countryCode, phone, numberingPlans);
  if (number === undefined) return undefined;
  const name = nameOf(fields);
  const texts = Object.keys(fields).map((column) => [column, textOf(fields, column)] as const);
  return {
    row,
    country_code: countryCode,
    phone,
    name,
    shop: textOf(fields, 'shop'),
    fields: { ...Object.fromEntries(texts), name },
    ...number,
  };
}

function nameOf(fields: Fields): string {
  const name = textOf(fields, 'name');
  if (name !== '') return name;
  return `${textOf(fields, 'first_name')} ${textOf(fields, 'last_name')}`.trim();
}

function textOf(fields: Fields, header: string): string {
  const text: unknown = fields[header];
  // Cells beyond the header come as a list.
  return typeof text === 'string' ? text.trim() : '';
}
