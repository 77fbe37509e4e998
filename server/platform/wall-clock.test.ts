import { describe, expect, test } from 'vitest';
import { dayAfter, lastDays, localDay, sameTimeDaysEarlier, startOfLocalDay } from './wall-clock.ts';

describe('the same time of day, days earlier', () => {
  test.each<[string, string, string, number, string]>([
    ['an ordinary day', 'Europe/Lisbon', '2026-06-10T09:30:15.250Z', 1, '2026-06-09T09:30:15.250Z'],
    ['a week', 'Asia/Kolkata', '2026-06-10T00:10:00.000Z', 7, '2026-06-03T00:10:00.000Z'],
    ['across a year', 'UTC', '2026-01-01T00:00:00.000Z', 1, '2025-12-31T00:00:00.000Z'],
    ['across a leap day', 'UTC', '2028-03-01T12:00:00.000Z', 1, '2028-02-29T12:00:00.000Z'],
    // New York went from 02:00 EST to 03:00 EDT on 8 March 2026, at 07:00 UTC.
    ['a day of 23 hours', 'America/New_York', '2026-03-08T16:00:00.000Z', 1, '2026-03-07T17:00:00.000Z'],
    ['the day after it', 'America/New_York', '2026-03-09T16:00:00.000Z', 1, '2026-03-08T16:00:00.000Z'],
    ['right before the clocks jumped', 'America/New_York', '2026-03-09T05:59:59.999Z', 1, '2026-03-08T06:59:59.999Z'],
    ['the start of what they skipped', 'America/New_York', '2026-03-09T06:00:00.000Z', 1, '2026-03-08T07:00:00.000Z'],
    ['amid what they skipped', 'America/New_York', '2026-03-09T06:30:00.000Z', 1, '2026-03-08T07:00:00.000Z'],
    ['the end of what they skipped', 'America/New_York', '2026-03-09T07:00:00.000Z', 1, '2026-03-08T07:00:00.000Z'],
    ['skipped long ago', 'America/New_York', '2026-03-11T06:30:00.000Z', 3, '2026-03-08T07:00:00.000Z'],
    // The clock went back from 02:00 EDT to 01:00 EST on 1 November 2026, at 06:00 UTC.
    ['a day of 25 hours', 'America/New_York', '2026-11-01T17:00:00.000Z', 1, '2026-10-31T16:00:00.000Z'],
    ['shown twice: the first', 'America/New_York', '2026-11-02T06:30:00.000Z', 1, '2026-11-01T05:30:00.000Z'],
    ['right after the second', 'America/New_York', '2026-11-02T07:00:00.000Z', 1, '2026-11-01T07:00:00.000Z'],
    ['from the first of two', 'America/New_York', '2026-11-01T05:30:00.000Z', 1, '2026-10-31T05:30:00.000Z'],
    ['from the second of two', 'America/New_York', '2026-11-01T06:30:00.000Z', 1, '2026-10-31T05:30:00.000Z'],
    // Lord Howe Island shifts by half an hour, at 15:00 UTC on 3 October 2026 from 02:00 to 02:30.
    ['half an hour skipped', 'Australia/Lord_Howe', '2026-10-04T15:10:00.000Z', 1, '2026-10-03T15:30:00.000Z'],
    // Midnight does not exist in Cairo on 24 April 2026: at 22:00 UTC clocks went from 00:00 to 01:00.
    ['midnight skipped', 'Africa/Cairo', '2026-04-24T21:00:00.000Z', 1, '2026-04-23T22:00:00.000Z'],
    // Samoa had no 30 December 2011: at 10:00 UTC it went from the end of the 29th to the start of the 31st.
    ['a day that was left out', 'Pacific/Apia', '2011-12-31T02:00:00.000Z', 1, '2011-12-30T10:00:00.000Z'],
    ['beyond it', 'Pacific/Apia', '2011-12-31T02:00:00.000Z', 2, '2011-12-30T02:00:00.000Z'],
    ['a hundred years', 'Europe/London', '2026-06-10T12:00:00.000Z', 36_500, '1926-07-05T12:00:00.000Z'],
  ])('%s', (_name, timeZone, now, days, expected) => {
    expect(sameTimeDaysEarlier(new Date(now), days, timeZone).toISOString()).toBe(expected);
  });

  test.each(['America/New_York', 'Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Kathmandu'])(
    'never lies ahead of the elapsed days by more than a change of the clocks: %s',
    (timeZone) => {
      for (let at = Date.UTC(2026, 0, 1); at < Date.UTC(2027, 0, 1); at += 3_234_567) {
        const elapsed = at - 86_400_000;
        const shift = sameTimeDaysEarlier(new Date(at), 1, timeZone).getTime() - elapsed;
        expect(Math.abs(shift)).toBeLessThanOrEqual(3_600_000);
      }
    },
  );
});

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
