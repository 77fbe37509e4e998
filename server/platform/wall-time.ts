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
  const wall = wallMs(now.getTime(), timeZone) - days * dayMs;
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
