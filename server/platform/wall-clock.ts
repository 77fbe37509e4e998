import { Temporal } from 'temporal-polyfill';

const { Instant, PlainDate, PlainTime } = Temporal;

const clocksAt = (at: Date, timeZone: string) =>
  Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);

const dateOf = ({ epochMilliseconds }: Temporal.ZonedDateTime) => new Date(epochMilliseconds);

/**
 * When a zone's clocks showed the same time of day so many calendar days earlier. A time that they showed twice is the
 * first of the two; one that they skipped is the moment at which they did.
 */
export function sameTimeDaysEarlier(now: Date, days: number, timeZone: string): Date {
  const shown = clocksAt(now, timeZone).toPlainDateTime().subtract({ days });
  return dateOf(momentShowing(shown, timeZone));
}

/** By zone: every message that is accepted asks for the same day. No zone's midnight lies within a quarter of an hour. */
const days = new Map<string, { quarterHour: number; day: string }>();
const quarterHourMs = 15 * 60_000;

/** The calendar day in a time zone, as YYYY-MM-DD. */
export function localDay(now: Date, timeZone: string): string {
  const quarterHour = Math.floor(now.getTime() / quarterHourMs);
  const known = days.get(timeZone);
  if (known?.quarterHour === quarterHour) return known.day;
  const day = clocksAt(now, timeZone).toPlainDate().toString();
  days.set(timeZone, { quarterHour, day });
  return day;
}

/** The last `count` calendar days up to `today` (YYYY-MM-DD), in their order. */
export function lastDays(today: string, count: number): string[] {
  const last = PlainDate.from(today);
  return Array.from({ length: count }, (_, index) => last.subtract({ days: count - 1 - index }).toString());
}

/** The calendar day after a day, both as YYYY-MM-DD. */
export function dayAfter(day: string): string {
  return PlainDate.from(day).add({ days: 1 }).toString();
}

/** By day and zone: every message that is accepted asks for the same few. */
const starts = new Map<string, Date>();
const maxStarts = 1000;

/** When a calendar day (YYYY-MM-DD) begins in a time zone: at midnight, or right after it on a day whose clocks skip it. */
export function startOfLocalDay(day: string, timeZone: string): Date {
  const key = `${day} ${timeZone}`;
  let start = starts.get(key);
  if (!start) {
    start = dateOf(PlainDate.from(day).toZonedDateTime(timeZone));
    if (starts.size >= maxStarts) starts.clear();
    starts.set(key, start);
  }
  return new Date(start);
}

/** When a zone's clocks show a time; the first of two, or the moment at which they skipped it. */
function momentShowing(time: Temporal.PlainDateTime, timeZone: string): Temporal.ZonedDateTime {
  const first = time.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  if (first.toPlainDateTime().equals(time)) return first;
  return first.getTimeZoneTransition('next') ?? first;
}

/** The hour that a zone's clocks show, 0 to 23. */
export function localHour(atMs: number, timeZone: string): number {
  return clocksAt(new Date(atMs), timeZone).hour;
}

/** When a zone's clocks last showed a full hour of the day, at `now` or before it. */
export function lastTimeAtHour(now: Date, hour: number, timeZone: string): Date {
  const today = clocksAt(now, timeZone).toPlainDate().toPlainDateTime(new PlainTime(hour));
  const shown = dateOf(momentShowing(today, timeZone));
  return shown <= now ? shown : dateOf(momentShowing(today.subtract({ days: 1 }), timeZone));
}
