import type { MessageContext } from '#contracts/message-content.ts';

/**
 * Values from a network are made storable at the connector, once: PostgreSQL takes no U+0000, JSON readers choke on
 * lone surrogates, and every value from a stranger needs a bound.
 */

type Wide = number | { toString(): string } | null | undefined;

/** WhatsApp cuts a text at 65,536 characters. */
export const maxTextLength = 65_536;
export const maxNameLength = 200;
const maxIdLength = 255;

/** A text without NUL and lone surrogates, of at most `maxLength` code points. */
export function cleanText(text: string, maxLength: number = maxTextLength): string {
  const clean = text.replaceAll('\u0000', '').toWellFormed();
  if (clean.length <= maxLength) return clean;
  return Array.from(clean.slice(0, maxLength * 2))
    .slice(0, maxLength)
    .join('');
}

/** A value as JSON that can be stored: texts and names in it without NUL and lone surrogates. */
export const storableJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part === 'string') return cleanText(part, part.length);
    if (part === null || typeof part !== 'object' || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, own]) => [cleanText(name, name.length), own]));
  });

/** A name, or undefined where nothing of it is left. */
export function cleanName(name: string | null | undefined): string | undefined {
  return cleanText(name ?? '', maxNameLength).trim() || undefined;
}

/** Whether an id of the network's can be stored and matched as it is: printable ASCII of a sane length. */
export function isStorableId(id: string): boolean {
  return id.length > 0 && id.length <= maxIdLength && /^[\x21-\x7e]+$/.test(id);
}

/** Before the network existed, or further ahead than clocks differ: not a time. */
const earliestMs = Date.UTC(2009, 0, 1);
const aheadMs = 24 * 60 * 60_000;

/** A time in seconds since 1970 that the network named; undefined where that is none. */
export function timeOfSeconds(seconds: number, now: Date): Date | undefined {
  const ms = seconds * 1000;
  return ms >= earliestMs && ms <= now.getTime() + aheadMs ? new Date(ms) : undefined;
}

/** The same, or `now`. */
export const dateOfSeconds = (seconds: number, now: Date): Date => timeOfSeconds(seconds, now) ?? now;

/** A whole number of `1 / 10^decimals` of a currency as a decimal; null where it is none of a sane length. */
export function decimalOf(value: Wide, decimals: number): string | null {
  const digits = value === null || value === undefined ? '' : value.toString();
  if (!/^\d{1,18}$/.test(digits) || decimals < 0 || decimals > 9) return null;
  const padded = digits.padStart(decimals + 1, '0');
  const whole = padded.slice(0, padded.length - decimals);
  const fraction = padded.slice(padded.length - decimals).replace(/0+$/, '');
  return `${whole}.${fraction.padEnd(2, '0')}`;
}

export const currencyOf = (code: string | null | undefined): string | null =>
  /^[A-Z]{3}$/.test(code ?? '') ? code! : null;

const maxFieldLength = 2_000;
/** Of a form that was filled in, as JSON. */
export const maxFormLength = 16_384;

/** A text beside the content of a message; null where nothing of it is left. */
export const fieldOf = (text: string | null | undefined, maxLength: number = maxFieldLength): string | null =>
  cleanText(text ?? '', maxLength) || null;

/** Undefined for a context in which nothing is said. */
export function contextOf(context: MessageContext): MessageContext | undefined {
  const isEmpty = Object.values(context).every((part) => !part || (Array.isArray(part) && part.length === 0));
  return isEmpty ? undefined : context;
}

export const isDegrees = (value: number | null | undefined, max: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= max;

/** Where a place is, in words. */
export const maxAddressLength = 1_000;
