import { z } from 'zod';

/**
 * How the cells of a column are read: `date_dmy` is day, month, year; `date_mdy` is month, day, year; `date_iso` is year,
 * month, day; `list` is texts with commas, semicolons or bars between.
 */
export const ColumnType = z.enum(['text', 'number', 'date_dmy', 'date_mdy', 'date_iso', 'yes_no', 'list']);
export type ColumnType = z.infer<typeof ColumnType>;

export type CellValue = string | number | boolean | string[];

/** In small letters. */
export const yesWords: readonly string[] = ['yes', 'y', 'true', '1', 'x', 'on', 'ja', 'oui', 'si', 'sí', 'sim'];
export const noWords: readonly string[] = ['no', 'n', 'false', '0', 'off', 'nein', 'non', 'não', 'nao'];

/**
 * The JSON value of a cell that is not empty. Dates become ISO 8601, with the time of day where the cell has one.
 * Undefined where the cell does not read as the type: nothing is guessed.
 */
export function readCell(text: string, type: ColumnType): CellValue | undefined {
  switch (type) {
    case 'text':
      return text;
    case 'number':
      return readNumber(text);
    case 'yes_no':
      return readYesNo(text);
    case 'list':
      return readList(text);
    case 'date_dmy':
    case 'date_mdy':
    case 'date_iso':
      return readDate(text, type);
  }
}

function readList(text: string): string[] | undefined {
  const members = text.split(/[,;|]/).map((member) => member.trim());
  const found = [...new Set(members.filter((member) => member !== ''))];
  return found.length === 0 ? undefined : found;
}

function readYesNo(text: string): boolean | undefined {
  const word = text.toLowerCase();
  if (yesWords.includes(word)) return true;
  return noWords.includes(word) ? false : undefined;
}

const plain = /^[+-]?\d+(\.\d+)?$/;
/** `1,234,567.5`; with a single comma before three digits the comma could be a decimal one. */
const groupedByCommas = /^[+-]?\d{1,3}(,\d{3})+\.\d+$|^[+-]?\d{1,3}(,\d{3}){2,}$/;
const groupedByPoints = /^[+-]?\d{1,3}(\.\d{3})+,\d+$|^[+-]?\d{1,3}(\.\d{3}){2,}$/;
const decimalComma = /^[+-]?\d+,(\d{1,2}|\d{4,})$/;
const groupedBySpaces = /^[+-]?\d{1,3}([ \u00A0\u202F]\d{3})+([.,]\d+)?$/;

function readNumber(text: string): number | undefined {
  const digits = text.replaceAll('\u2212', '-');
  const bare = digits.replaceAll(/[ \u00A0\u202F]/g, '');
  let point: string | undefined;
  if (plain.test(digits)) point = digits;
  else if (groupedByCommas.test(digits)) point = digits.replaceAll(',', '');
  else if (groupedByPoints.test(digits)) point = digits.replaceAll('.', '').replace(',', '.');
  else if (decimalComma.test(digits)) point = digits.replace(',', '.');
  else if (groupedBySpaces.test(digits)) point = bare.replace(',', '.');
  // Beyond 15 digits a number would not come back as it was given.
  if (point === undefined || point.replaceAll(/\D|^[+-]?0+/g, '').length > 15) return undefined;
  return Number(point);
}

const datePatterns = {
  date_dmy: /^(?<day>\d{1,2})([/.-])(?<month>\d{1,2})\2(?<year>\d{4})(?<rest>.*)$/,
  date_mdy: /^(?<month>\d{1,2})([/.-])(?<day>\d{1,2})\2(?<year>\d{4})(?<rest>.*)$/,
  date_iso: /^(?<year>\d{4})([/.-])(?<month>\d{1,2})\2(?<day>\d{1,2})(?<rest>.*)$/,
} as const;
const timePattern =
  /^[T ,]\s*(?<hour>\d{1,2}):(?<minute>\d{2})(:(?<second>\d{2})(\.\d{1,9})?)?\s*(?<half>[ap]m)?(?<zone>Z|[+-]\d{2}:?\d{2})?$/i;

type DateType = keyof typeof datePatterns;

function readDate(text: string, type: DateType): string | undefined {
  const { day = '', month = '', year = '', rest = '' } = datePatterns[type].exec(text)?.groups ?? {};
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  if (Number(year) < 1000 || !isDate(date)) return undefined;
  return rest === '' ? date : withTime(date, rest);
}

function isDate(date: string): boolean {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

function withTime(date: string, rest: string): string | undefined {
  const { hour, minute = '', second = '00', half, zone = '' } = timePattern.exec(rest)?.groups ?? {};
  if (hour === undefined) return undefined;
  const given = Number(hour);
  if (half !== undefined && (given < 1 || given > 12)) return undefined;
  const hours = half === undefined ? given : (given % 12) + (half.toLowerCase() === 'pm' ? 12 : 0);
  if (hours > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  return `${date}T${String(hours).padStart(2, '0')}:${minute}:${second}${zone.toUpperCase()}`;
}

/** `text` unless all cells read as one other type, and as no other date order. */
export function suggestType(cells: readonly string[]): ColumnType {
  if (cells.length === 0) return 'text';
  if (cells.every((cell) => /^(yes|no|true|false)$/i.test(cell))) return 'yes_no';
  // Longer ones are rather names than amounts: order numbers, phone numbers.
  if (cells.every((cell) => /^-?(0|[1-9]\d{0,8})(\.\d{1,6})?$/.test(cell))) return 'number';
  const orders = dateOrders(cells);
  return orders.length === 1 ? (orders[0] ?? 'text') : 'text';
}

/** Whether all cells are dates that read with the day first and with the month first. */
export const isOrderUnknown = (cells: readonly string[]): boolean => cells.length > 0 && dateOrders(cells).length > 1;

function dateOrders(cells: readonly string[]): ColumnType[] {
  const types: readonly DateType[] = ['date_iso', 'date_dmy', 'date_mdy'];
  const found = types.filter((type) => cells.every((cell) => readDate(cell, type) !== undefined));
  // Points are written with the day first.
  const hasPoints = cells.every((cell) => /^\d{1,2}\.\d{1,2}\./.test(cell));
  return hasPoints ? found.filter((type) => type !== 'date_mdy') : found;
}
