/**
 * Values from a network are made storable at the connector, once: PostgreSQL takes no U+0000, JSON readers choke on
 * lone surrogates, and every value from a stranger needs a bound.
 */

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

/** A time in seconds since 1970 that the network named; `now` where that is none. */
export function dateOfSeconds(seconds: number, now: Date): Date {
  const ms = seconds * 1000;
  return ms >= earliestMs && ms <= now.getTime() + aheadMs ? new Date(ms) : now;
}
