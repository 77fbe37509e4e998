import { lastTimeAtHour, localDay } from '#server/platform/wall-clock.ts';
import { daytime } from './daytime.ts';

/** A day of allowances: from nine o'clock in the account's time zone, so that a new one never begins at night. */
export type AllowanceDay = { key: string; startsAt: Date; endsAt: Date };

/** Longer than any such day by less than one, whatever the clocks do. */
const intoNextMs = 30 * 60 * 60_000;

export function allowanceDay(now: Date, timeZone: string): AllowanceDay {
  const startsAt = lastTimeAtHour(now, daytime.fromHour, timeZone);
  const endsAt = lastTimeAtHour(new Date(startsAt.getTime() + intoNextMs), daytime.fromHour, timeZone);
  return { key: localDay(startsAt, timeZone), startsAt, endsAt };
}
