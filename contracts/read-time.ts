const isoDate = '(?<year>[1-9]\\d{3})-(?<month>0[1-9]|1[0-2])-(?<day>0[1-9]|[12]\\d|3[01])';
const isoTime = '(?<hour>[01]\\d|2[0-3]):(?<minute>[0-5]\\d)(?::(?<second>[0-5]\\d)(?:\\.(?<fraction>\\d{1,9}))?)?';
const isoZone = '(?:Z|(?<sign>[+-])(?<zoneHour>0\\d|1[0-4]):?(?<zoneMinute>[0-5]\\d))';
const iso = new RegExp(`^${isoDate}(?:[T ]${isoTime}${isoZone}?)?$`);

/**
 * Reads a value as a time, in milliseconds since 1970: ISO 8601 text (without a zone it is UTC), or the milliseconds as
 * a number or as digits. Undefined for everything else. The database's `epoch_ms_of` reads the same.
 */
export function readTimeMs(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  // Many expressions ask for the same time of a person, one after the other.
  if (last?.text !== value) last = { text: value, ms: readText(value) };
  return last.ms;
}

let last: { text: string; ms: number | undefined } | undefined;

function readText(value: string): number | undefined {
  if (/^\d{1,15}$/.test(value)) return Number(value);
  const parts = iso.exec(value)?.groups;
  if (!parts) return undefined;
  const number = (name: string) => Number(parts[name] ?? 0);
  const date = new Date(0);
  date.setUTCFullYear(number('year'), number('month') - 1, number('day'));
  // The thirtieth of February has become a day in March.
  if (date.getUTCDate() !== number('day')) return undefined;
  date.setUTCHours(number('hour'), number('minute'), number('second'), Number(fractionMs(parts['fraction'])));
  const zoneMinutes = number('zoneHour') * 60 + number('zoneMinute');
  return date.getTime() - (parts['sign'] === '-' ? -1 : 1) * zoneMinutes * 60_000;
}

const fractionMs = (fraction = '') => fraction.slice(0, 3).padEnd(3, '0');
