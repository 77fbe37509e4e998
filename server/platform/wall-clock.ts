const dayMs = 86_400_000;
/** Further from UTC than any zone is, and nearer than two changes of any clock are to each other. */
const reachMs = 36 * 3_600_000;

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

/** What the clocks of a zone show, as the milliseconds at which UTC's show the same. */
function wallMs(atMs: number, timeZone: string): number {
  const parts = formatterFor(timeZone).formatToParts(atMs);
  const part = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((one) => one.type === type)?.value);
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
  return wall + (((atMs % 1000) + 1000) % 1000);
}

/**
 * When a zone's clocks showed the same time of day so many calendar days earlier. A time that they showed twice is the
 * first of the two; one that they skipped is the moment at which they did.
 */
export function sameTimeDaysEarlier(now: Date, days: number, timeZone: string): Date {
  return momentShowing(wallMs(now.getTime(), timeZone) - days * dayMs, timeZone);
}

const isoDay = (wall: number) => new Date(wall).toISOString().slice(0, 10);
const wallOf = (day: string) => Date.parse(`${day}T00:00:00Z`);

/** The calendar day in a time zone, as YYYY-MM-DD. */
export function localDay(now: Date, timeZone: string): string {
  return isoDay(wallMs(now.getTime(), timeZone));
}

/** The last `count` calendar days up to `today` (YYYY-MM-DD), in their order. */
export function lastDays(today: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => isoDay(wallOf(today) - (count - 1 - index) * dayMs));
}

/** The calendar day after a day, both as YYYY-MM-DD. */
export function dayAfter(day: string): string {
  return isoDay(wallOf(day) + dayMs);
}

/** By day and zone: every message that is accepted asks for the same few. */
const starts = new Map<string, Date>();
const maxStarts = 1000;

/** When a calendar day (YYYY-MM-DD) begins in a time zone: at midnight, or right after it on a day whose clocks skip it. */
export function startOfLocalDay(day: string, timeZone: string): Date {
  const key = `${day} ${timeZone}`;
  let start = starts.get(key);
  if (!start) {
    start = momentShowing(wallOf(day), timeZone);
    if (starts.size >= maxStarts) starts.clear();
    starts.set(key, start);
  }
  return new Date(start);
}

/** When a zone's clocks show a time; the first of two, or the moment at which they skipped it. */
function momentShowing(wall: number, timeZone: string): Date {
  const offsetAt = (atMs: number) => wallMs(atMs, timeZone) - atMs;
  const before = wall - offsetAt(wall - reachMs);
  const after = wall - offsetAt(wall + reachMs);
  const shown = [before, after].filter((atMs) => wallMs(atMs, timeZone) === wall);
  return new Date(shown.length > 0 ? Math.min(...shown) : firstShowing(wall, timeZone, [after, before]));
}

/** The moment between two from which on the clocks show this time or a later one. */
function firstShowing(wall: number, timeZone: string, between: readonly [number, number]): number {
  let [earlier, reached] = between;
  while (reached - earlier > 1) {
    const middle = Math.floor((earlier + reached) / 2);
    if (wallMs(middle, timeZone) < wall) earlier = middle;
    else reached = middle;
  }
  return reached;
}

/** The hour that a zone's clocks show, 0 to 23. */
export function localHour(atMs: number, timeZone: string): number {
  return new Date(wallMs(atMs, timeZone)).getUTCHours();
}

/** When a zone's clocks last showed a full hour of the day, at `now` or before it. */
export function lastTimeAtHour(now: Date, hour: number, timeZone: string): Date {
  const wall = wallMs(now.getTime(), timeZone);
  const today = Math.floor(wall / dayMs) * dayMs + hour * 3_600_000;
  const shown = momentShowing(today, timeZone);
  return shown <= now ? shown : momentShowing(today - dayMs, timeZone);
}
