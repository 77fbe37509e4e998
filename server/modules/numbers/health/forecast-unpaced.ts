import { dayAfter, localDay, startOfLocalDay } from '#server/platform/wall-clock.ts';
import type { Forecast } from './forecast.ts';

/** A phone that its daily maximum bounds, `used` of it today, and the throughput of its network; null: none is known. */
export type UnpacedPhone = { maxDaily: number; used: number; perSecond?: number | null };

/** More are not listed. */
const mostDays = 366;

/** When so many messages have gone out over phones that send as fast as they can. */
export function forecastUnpaced(
  phones: readonly UnpacedPhone[],
  wanted: number,
  { timeZone, now }: { timeZone: string; now: Date },
): Forecast {
  const aDay = phones.reduce((sum, { maxDaily }) => sum + maxDaily, 0);
  const today = phones.reduce((sum, { maxDaily, used }) => sum + Math.max(0, maxDaily - used), 0);
  const perSecond = phones.reduce((sum, phone) => sum + (phone.perSecond ?? Infinity), 0);
  const days: Forecast['days'] = [];
  let left = wanted;
  let date = localDay(now, timeZone);
  for (let place = 0; place < mostDays && left > 0; place += 1) {
    const count = Math.min(left, place === 0 ? today : aDay);
    if (count > 0) days.push({ date, count });
    left -= count;
    if (left > 0) date = dayAfter(date);
  }
  if (left > 0) return { doneAt: null, count: wanted - left, days };
  const startsToday = days.length === 0 || date === localDay(now, timeZone);
  const beginsAt = startsToday ? now : startOfLocalDay(date, timeZone);
  const last = days.at(-1)?.count ?? 0;
  const takesMs = last === 0 ? 0 : Math.floor((last / perSecond) * 1000);
  return { doneAt: new Date(beginsAt.getTime() + takesMs), count: wanted, days };
}
