import { Readable } from 'node:stream';

const longestText = 2_000;
const mostFields = 30;
const mostItems = 3;
const deepest = 4;

/** A file comes as its bytes, or is read as it comes. */
const isFile = (body: object) => ArrayBuffer.isView(body) || body instanceof Readable;

/**
 * A body without what it says: its fields, how long its texts were and how many items its lists had. Of a phone number
 * the last four digits stay, so that one's own request is found again.
 */
export function outlineOf(body: unknown): string | null {
  if (typeof body !== 'object' || body === null || isFile(body)) return null;
  return JSON.stringify(outline(body, 0)).slice(0, longestText);
}

function outline(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return outlineOfText(value);
  if (typeof value !== 'object' || value === null) return typeof value === 'number' ? 'a number' : value;
  if (depth >= deepest) return '…';
  if (Array.isArray(value)) {
    const items = value.slice(0, mostItems).map((item) => outline(item, depth + 1));
    return value.length > mostItems ? [...items, `and ${value.length - mostItems} more`] : items;
  }
  const entries = Object.entries(value);
  const fields = entries.slice(0, mostFields).map(([key, item]) => [key.slice(0, 60), outline(item, depth + 1)]);
  if (entries.length > mostFields) fields.push(['…', `and ${entries.length - mostFields} more`]);
  return Object.fromEntries(fields);
}

const numberLike = /^\+?[\d\s().-]{8,20}$/;

function outlineOfText(text: string): string {
  const digits = text.replaceAll(/\D/g, '');
  if (numberLike.test(text) && digits.length >= 8) return maskedNumber(digits);
  return `${text.length} ${text.length === 1 ? 'character' : 'characters'}`;
}

/** `…0123` */
export const maskedNumber = (digits: string): string => `…${digits.slice(-4)}`;
