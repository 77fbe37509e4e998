const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

function partsOf(now: Date, timeZone: string): Record<string, string> {
  return Object.fromEntries(
    formatterFor(timeZone)
      .formatToParts(now)
      .map(({ type, value }) => [type, value]),
  );
}

/** The calendar day in a time zone, as YYYY-MM-DD. */
export function localDay(now: Date, timeZone: string): string {
  const { year, month, day } = partsOf(now, timeZone);
  return `${year}-${month}-${day}`;
}

/** The last `count` calendar days up to `today` (YYYY-MM-DD), in their order. */
export function lastDays(today: string, count: number): string[] {
  const last = Date.parse(`${today}T00:00:00Z`);
  return Array.from({ length: count }, (_, index) =>
    new Date(last - (count - 1 - index) * 86_400_000).toISOString().slice(0, 10),
  );
}

/** The calendar day after a day, both as YYYY-MM-DD. */
export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

const quarterHourMs = 15 * 60_000;

/** No time zone is further from UTC, to either side. */
const maxOffsetMs = 16 * 60 * 60_000;

const starts = new Map<string, number>();
const maxStarts = 1000;

/**
 * When a calendar day (YYYY-MM-DD) begins in a time zone: at midnight, or right after it on a day whose clocks skip it.
 * Every zone's days begin with a quarter of an hour, so halving finds the first that has that date.
 */
export function startOfLocalDay(day: string, timeZone: string): Date {
  const key = `${day} ${timeZone}`;
  const known = starts.get(key);
  if (known !== undefined) return new Date(known);
  let before = Date.parse(`${day}T00:00:00Z`) - maxOffsetMs;
  let reached = before + 2 * maxOffsetMs;
  while (reached - before > quarterHourMs) {
    const middle = before + Math.floor((reached - before) / 2 / quarterHourMs) * quarterHourMs;
    if (localDay(new Date(middle), timeZone) < day) before = middle;
    else reached = middle;
  }
  if (starts.size >= maxStarts) starts.clear();
  starts.set(key, reached);
  return new Date(reached);
}
