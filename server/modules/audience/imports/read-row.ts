import { noWords, readCell, yesWords } from '#contracts/column-types.ts';
import type { CellValue, ColumnType } from '#contracts/column-types.ts';
import { EmailAddress, LanguageTag, TimeZone } from '#contracts/accounts.ts';
import type { ProfileFact } from '#contracts/field-path.ts';
import { topicOfField } from '#contracts/profile-imports.ts';
import { ProfileTag } from '#contracts/profile-tags.ts';
import { ExternalId, ProfileName, ProfileStatus } from '#contracts/profiles.ts';
import type { ConsentState } from '#contracts/topics.ts';
import { shortenText } from '#contracts/shorten-text.ts';
import { isShortenedNumber, readNumber, withoutDecimal } from '#contracts/read-number.ts';
import { digitsOfWritten } from '#contracts/understand-number.ts';
import { withoutFormulaGuard } from '#contracts/formula-guard.ts';
import { isCountry, readPhone } from '#server/modules/audience/profiles/index.ts';
import type { ProfileFacts, ProfilePhone } from '#server/modules/audience/profiles/index.ts';
import type { AskedNumber } from '#server/modules/numbers/reading/index.ts';
import { numberPlans } from '#server/platform/number-plans.ts';
import type { HeldNumbers, OpeningPlan, ReadingPlan } from './import-plan.ts';
import { cellsOf } from './import-rows.ts';
import type { CellNote, FileRow } from './import-rows.ts';

type Phone = ProfilePhone;

/** The values of a row for a profile; empty cells are undefined. */
export type ReadRow = {
  phone: Phone;
  name: string | undefined;
  email: string | undefined;
  status: string | undefined;
  tags: readonly string[];
  isOptedOut: boolean;
  custom: readonly { keys: readonly string[]; value: CellValue }[];
  /** The facts that its cells name. */
  facts: Partial<ProfileFacts>;
  topics: readonly { topicId: number; state: ConsentState }[];
};

type InvalidRow = { kind: 'invalid'; reason: string };

/** A row whose cells are told apart, with its number as it is asked for. */
export type OpenedRow = { kind: 'opened'; texts: ReadonlyMap<string, string>; asked: AskedNumber };

/** `notes`: the cells that were left out, and the number where it is not assignable. */
export type RowReading = { kind: 'read'; row: ReadRow; notes: CellNote[] } | InvalidRow;

class RowError extends Error {}

function orInvalid<Result>(read: () => Result): Result | InvalidRow {
  try {
    return read();
  } catch (error) {
    if (error instanceof RowError) return { kind: 'invalid', reason: error.message };
    throw error;
  }
}

/** Tells the cells of a row apart; its number is read together with those of other rows. */
export const openRow = (row: FileRow, { fields, country }: OpeningPlan): OpenedRow | InvalidRow =>
  orInvalid(() => {
    const texts = textsOf(row, fields);
    return { kind: 'opened', texts, asked: askedNumber(texts, country) };
  });

/** Makes sense of a row by the plan, or says why that cannot be done. */
export const readRow = (row: OpenedRow, plan: ReadingPlan): RowReading => orInvalid(() => interpret(row, plan));

function interpret({ texts, asked }: OpenedRow, plan: ReadingPlan): RowReading {
  const { email, custom, facts, topics, notes } = readForgiving(texts, plan);
  const fullName = [texts.get('first_name'), texts.get('last_name')].filter(Boolean).join(' ');
  const phone = { ...readNumberOf(asked, plan), phone_given: texts.get('phone') ?? '' };
  const row: ReadRow = {
    phone,
    name: parse(ProfileName, texts.get('name') ?? (fullName || undefined)),
    email,
    status: parse(ProfileStatus, texts.get('status')),
    tags: readTags(texts.get('tags')),
    isOptedOut: readOptOut(texts.get('opted_out')),
    custom,
    facts,
    topics,
  };
  return { kind: 'read', row, notes: phone.phone_is_valid ? notes : [unassignable(phone, plan), ...notes] };
}

/**
 * The number of whoever has exactly these digits as an assignable number: no rule reads them as another one, unless a
 * row names another country. To find it takes no numbering plan.
 */
export function heldNumber({ written, country }: AskedNumber, held: HeldNumbers): Phone | undefined {
  const phone = held.get(digitsOfWritten(written).digits);
  return phone && (!country || country === phone.country_code) ? phone : undefined;
}

/** The cells that are not empty, by their fields. */
function textsOf(fileRow: FileRow, fields: OpeningPlan['fields']): Map<string, string> {
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
  return texts;
}

function unassignable({ phone_given, phone }: Phone, { fields, headers }: ReadingPlan): CellNote {
  const column = fields.indexOf('phone');
  const header = headers?.[column] || `Column ${column + 1}`;
  return { column, text: `${header}: “${phone_given}” is not an assignable number: it is kept as +${phone}` };
}

type Forgiving = Pick<ReadRow, 'email' | 'custom' | 'facts' | 'topics'> & { notes: CellNote[] };

/** Cells that cost nobody the contact: one that is no such value is left out, and noted. */
function readForgiving(texts: ReadonlyMap<string, string>, plan: ReadingPlan): Forgiving {
  const { fields, paths, types, headers } = plan;
  const read = { notes: [] as CellNote[], custom: [] as ReadRow['custom'][number][], topics: [] as Consent[] };
  const facts: Partial<ProfileFacts> = {};
  let email: string | undefined;
  fields.forEach((field, column) => {
    const text = texts.get(field ?? '');
    if (field === null || text === undefined) return;
    const path = paths[column];
    const topicId = topicOfField(field);
    let kind: keyof typeof kindOf;
    let value: CellValue | undefined;
    if (path?.kind === 'custom') {
      kind = types?.[column] ?? 'text';
      value = readCell(text, kind);
      if (value !== undefined) read.custom.push({ keys: path.keys, value });
    } else if (path?.kind === 'fact') {
      kind = path.fact;
      value = factSchemas[path.fact].safeParse(text).data;
      if (typeof value === 'string') facts[path.fact] = value;
    } else if (topicId !== undefined) {
      kind = 'consent';
      const state = stateOf(text);
      value = state;
      if (state) read.topics.push({ topicId, state });
    } else if (field === 'email') {
      kind = 'email';
      value = EmailAddress.safeParse(text).data;
      if (typeof value === 'string') email = value;
    } else return;
    if (value !== undefined) return;
    const header = headers?.[column] || `Column ${column + 1}`;
    read.notes.push({ column, text: `${header}: “${shortenText(text, 60)}” is not ${kindOf[kind]}` });
  });
  return { ...read, facts, email };
}

type Consent = ReadRow['topics'][number];

const factSchemas = { language: LanguageTag, timezone: TimeZone, external_id: ExternalId } as const;

const optedIn: readonly string[] = [...yesWords, 'opted in', 'opted_in', 'opted-in', 'subscribed'];
const optedOut: readonly string[] = [...noWords, 'opted out', 'opted_out', 'opted-out', 'unsubscribed'];

function stateOf(text: string): ConsentState | undefined {
  const word = text.toLowerCase();
  if (optedIn.includes(word)) return 'opted_in';
  return optedOut.includes(word) ? 'opted_out' : undefined;
}

const kindOf: Readonly<Record<ColumnType | ProfileFact | 'email' | 'consent', string>> = {
  email: 'an email address',
  language: 'a language, such as en or pt-BR',
  timezone: 'a time zone, such as Europe/Lisbon',
  external_id: 'an id of at most 200 characters',
  consent: 'yes or no',
  text: 'a text',
  number: 'a number',
  date_dmy: 'a date (day, month, year)',
  date_mdy: 'a date (month, day, year)',
  date_iso: 'a date (year, month, day)',
  yes_no: 'yes or no',
  list: 'a list',
};

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
function askedNumber(texts: ReadonlyMap<string, string>, defaultCountry: string | null): AskedNumber {
  const phone = texts.get('phone');
  const cell = texts.get('country_code');
  if (phone === undefined) throw new RowError('The phone number is missing');
  const given = withoutDecimal(phone);
  if (given.length > 40) throw new RowError('Invalid number');
  if (isShortenedNumber(given)) {
    throw new RowError('The number was shortened by a spreadsheet: format the column as text');
  }
  if (cell === undefined) return { written: given, defaultCountry };
  const callingCode = /^\+?(\d{1,3})$/.exec(withoutDecimal(cell))?.[1];
  if (callingCode !== undefined) {
    const whole = readNumber({ countryCode: callingCode, phone: given, defaultCountry: null }, numberPlans);
    return { written: `+${whole?.to ?? ''}` };
  }
  const country = cell.toUpperCase();
  if (!isCountry(country)) throw new RowError(`There is no country with the code ${cell}`);
  return { written: given, country };
}

function readNumberOf(asked: AskedNumber, { understand, held }: ReadingPlan): Phone {
  const country = asked.country ?? asked.defaultCountry ?? null;
  if (country !== null && !isCountry(country)) throw new RowError(`There is no country with the code ${country}`);
  const known = heldNumber(asked, held);
  if (known) return known;
  const understood = understand(asked);
  const phone =
    understood.kind === 'clear' && understood.by !== 'country'
      ? readPhone(`+${understood.number}`, country)
      : // Digits that are not clear stand as they are, unless they can be no full number.
        ((asked.country ? undefined : readPhone(asked.written, null)) ?? readPhone(asked.written, country));
  if (!phone) throw new RowError('Invalid number');
  return phone;
}
