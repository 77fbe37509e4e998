import { expect, test } from 'vitest';
import { dayAfter, lastDays, localDay, startOfLocalDay } from './local-day.ts';

test.each([
  ['2026-11-21T23:30:00Z', 'UTC', '2026-11-21'],
  ['2026-11-21T23:30:00Z', 'Asia/Tokyo', '2026-11-22'],
  ['2026-11-21T02:00:00Z', 'America/New_York', '2026-11-20'],
  // The night in which clocks go back in New York: 05:30 UTC is 01:30 for the first time.
  ['2026-11-01T05:30:00Z', 'America/New_York', '2026-11-01'],
])('%s in %s is %s', (now, timeZone, day) => {
  expect(localDay(new Date(now), timeZone)).toBe(day);
});

test('the day after crosses months and leap days', () => {
  expect(['2026-12-31', '2028-02-28', '2027-02-28'].map(dayAfter)).toEqual(['2027-01-01', '2028-02-29', '2027-03-01']);
});

test('the last days cross months and leap days', () => {
  expect(lastDays('2028-03-01', 3)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01']);
  expect(lastDays('2027-01-01', 2)).toEqual(['2026-12-31', '2027-01-01']);
});

test.each([
  ['2026-11-21', 'UTC', '2026-11-21T00:00:00Z'],
  ['2026-11-21', 'Pacific/Kiritimati', '2026-11-20T10:00:00Z'],
  ['2026-11-21', 'Pacific/Pago_Pago', '2026-11-21T11:00:00Z'],
  ['2026-11-21', 'Asia/Kathmandu', '2026-11-20T18:15:00Z'],
  ['2026-11-21', 'Pacific/Chatham', '2026-11-20T10:15:00Z'],
  // The day in New York that has 25 hours, and the one after.
  ['2026-11-01', 'America/New_York', '2026-11-01T04:00:00Z'],
  ['2026-11-02', 'America/New_York', '2026-11-02T05:00:00Z'],
  // Chile's clocks go from 24:00 to 01:00 in spring, and from 24:00 back to 23:00 in autumn.
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00Z'],
  ['2026-04-05', 'America/Santiago', '2026-04-05T04:00:00Z'],
])('%s begins in %s at %s', (day, timeZone, start) => {
  expect(startOfLocalDay(day, timeZone)).toEqual(new Date(start));
});
