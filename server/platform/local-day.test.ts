import { expect, test } from 'vitest';
import { localDay, secondsUntilMidnight } from './local-day.ts';

test.each([
  ['2026-11-21T23:30:00Z', 'UTC', '2026-11-21', 1800],
  ['2026-11-21T23:30:00Z', 'Asia/Tokyo', '2026-11-22', 55_800],
  ['2026-11-21T02:00:00Z', 'America/New_York', '2026-11-20', 10_800],
  // The night in which clocks go back in New York: 05:30 UTC is 01:30 for the first time.
  ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01', 81_000],
])('%s in %s is %s', (now, timeZone, day, seconds) => {
  expect(localDay(new Date(now), timeZone)).toBe(day);
  expect(secondsUntilMidnight(new Date(now), timeZone)).toBe(seconds);
});
