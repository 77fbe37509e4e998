import { dayAfter, localDay, startOfLocalDay } from '#server/platform/wall-clock.ts';
import type { PhoneRow } from '../tables.ts';

/** The columns of a phone for the messages that count for its daily maximum. */
export type DailyCount = Pick<PhoneRow, 'count_day' | 'count_ends_at' | 'daily_count'>;

/** The moment, and the account's time zone. */
export type Moment = { now: Date; timezone: string };

/** The shortest day with a change of clocks. */
const shortestDayMs = 23 * 60 * 60_000;

/** Whether what was counted still counts: its day is not over, where it began and where the account is now. */
function isRunning(count: DailyCount, { now, timezone }: Moment): boolean {
  if (count.count_ends_at !== null && count.count_ends_at > now) return true;
  return count.count_day !== null && count.count_day >= localDay(now, timezone);
}

export function messagesToday(count: DailyCount, at: Moment): number {
  return isRunning(count, at) ? count.daily_count : 0;
}

/**
 * The count as it is for the next message: the one that is running, or a new one. A day ends at a midnight of the
 * account's time zone, and no two days end less than a day apart: another time zone makes no second maximum.
 */
export function openCount(count: DailyCount, at: Moment): { day: string; endsAt: Date; isNew: boolean } {
  const today = localDay(at.now, at.timezone);
  const midnightAfter = (day: string) => startOfLocalDay(dayAfter(day), at.timezone);
  const { count_day: day, count_ends_at: endsAt } = count;
  if (isRunning(count, at)) {
    const runningDay = day ?? today;
    const midnight = midnightAfter(runningDay);
    return { day: runningDay, endsAt: endsAt && endsAt > midnight ? endsAt : midnight, isNew: false };
  }
  const midnight = midnightAfter(today);
  const isTooSoon = endsAt !== null && midnight.getTime() - endsAt.getTime() < shortestDayMs;
  return { day: today, endsAt: isTooSoon ? midnightAfter(dayAfter(today)) : midnight, isNew: true };
}
