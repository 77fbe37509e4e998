import { EmailAddress } from '#contracts/accounts.ts';
import { parseFieldPath } from '#contracts/field-path.ts';
import { ProfileTag } from '#contracts/profile-tags.ts';
import { ProfileName, ProfileStatus } from '#contracts/profiles.ts';
import { isCountry, readPhone } from '#server/modules/audience/profiles/index.ts';
import { withoutFormulaGuard } from '#server/platform/csv/write-csv.ts';
import type { ReadingPlan } from './import-plan.ts';
import { cellsOf } from './import-rows.ts';
import type { FileRow } from './import-rows.ts';

type Phone = NonNullable<ReturnType<typeof readPhone>>;

/** What a row says of a profile; what it leaves empty is undefined. */
export type ReadRow = {
  phone: Phone;
  name: string | undefined;
  email: string | undefined;
  status: string | undefined;
  tags: readonly string[];
  isOptedOut: boolean;
  custom: readonly { keys: readonly string[]; text: string }[];
};

export type RowReading = { kind: 'read'; row: ReadRow } | { kind: 'invalid'; reason: string };

class RowError extends Error {}

/** Makes sense of a row by the plan, or says why that cannot be done. */
export function readRow(row: FileRow, plan: ReadingPlan): RowReading {
  try {
    return { kind: 'read', row: interpret(row, plan) };
  } catch (error) {
    if (error instanceof RowError) return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

function interpret(fileRow: FileRow, { fields, country }: ReadingPlan): ReadRow {
  const cells = cellsOf(fileRow);
  if (!Array.isArray(fileRow)) throw new RowError(fileRow.problem);
  if (cells.length !== fields.length) {
    throw new RowError(`The row has ${cells.length} cells where the header has ${fields.length}`);
  }
  const texts = new Map<string, string>();
  fields.forEach((field, index) => {
    const text = withoutFormulaGuard(cells[index] ?? '').trim();
    if (field !== null && text !== '') texts.set(field, text);
  });
  const fullName = [texts.get('first_name'), texts.get('last_name')].filter(Boolean).join(' ');
  return {
    phone: readNumber(texts.get('phone'), texts.get('country_code'), country),
    name: parse(ProfileName, texts.get('name') ?? (fullName || undefined)),
    email: parse(EmailAddress, texts.get('email')),
    status: parse(ProfileStatus, texts.get('status')),
    tags: readTags(texts.get('tags')),
    isOptedOut: readOptOut(texts.get('opted_out')),
    custom: [...texts].flatMap(([field, text]) => {
      const path = parseFieldPath(field);
      return path?.kind === 'custom' ? [{ keys: path.keys, text }] : [];
    }),
  };
}

type TextSchema = { safeParse(text: string): { success: true; data: string } | { success: false; error: Issues } };
type Issues = { issues: readonly { message: string }[] };

function parse(schema: TextSchema, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const parsed = schema.safeParse(text);
  if (!parsed.success) throw new RowError(parsed.error.issues[0]?.message ?? 'Invalid value');
  return parsed.data;
}

/** Between commas, semicolons or bars. */
function readTags(text: string | undefined): string[] {
  const tags = (text ?? '').split(/[,;|]/).filter((tag) => tag.trim() !== '');
  return tags.flatMap((tag) => parse(ProfileTag, tag) ?? []);
}

const yes = new Set(['true', 'yes', 'y', '1', 'x', 'opted out', 'opted_out', 'opted-out', 'unsubscribed']);
const no = new Set(['false', 'no', 'n', '0']);

/** Guessing could leave somebody out, or write to somebody who asked for none of it. */
function readOptOut(text: string | undefined): boolean {
  const word = text?.toLowerCase();
  if (word === undefined || no.has(word)) return false;
  if (yes.has(word)) return true;
  throw new RowError('Opted out must be yes or no');
}

/** A country's cell may be its two letters or its calling code. */
function readNumber(given: string | undefined, countryCell: string | undefined, fallback: string | null): Phone {
  if (given === undefined) throw new RowError('The phone number is missing');
  if (given.length > 40) throw new RowError('Invalid number');
  if (/^\d([.,]\d+)?e\+?\d+$/i.test(given)) {
    throw new RowError('The number was shortened by a spreadsheet: format the column as text');
  }
  const callingCode = /^\+?(\d{1,3})$/.exec(countryCell ?? '')?.[1];
  const letters = callingCode === undefined ? (countryCell?.toUpperCase() ?? fallback) : null;
  if (letters !== null && !isCountry(letters)) throw new RowError(`There is no country with the code ${countryCell}`);
  const isNational = callingCode !== undefined && !given.startsWith('+');
  const phone = readPhone(isNational ? `+${callingCode}${given}` : given, letters);
  if (!phone) throw new RowError('Invalid number');
  return { ...phone, phone_given: given };
}
