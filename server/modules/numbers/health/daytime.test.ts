import { describe, expect, test } from 'vitest';
import { allowanceDay } from './allowance-day.ts';
import { countryOf, nextDaytime } from './daytime.ts';

describe('when it is next daytime for a number', () => {
  test.each<[string, string, string, string]>([
    ['from nine on it is at once', '4915123456789', '2026-01-12T08:00:00Z', '2026-01-12T08:00:00Z'],
    ['the Azores begin an hour after Lisbon', '351912345678', '2026-01-12T09:59:59Z', '2026-01-12T10:00:00Z'],
    ['up to the last second before eight', '4915123456789', '2026-01-12T18:59:59Z', '2026-01-12T18:59:59Z'],
    ['at eight in the evening it is over', '4915123456789', '2026-01-12T19:00:00Z', '2026-01-13T08:00:00Z'],
    ['half an hour from UTC', '919876543210', '2026-01-12T00:00:00Z', '2026-01-12T03:30:00Z'],
    ['three quarters of an hour', '9779812345678', '2026-01-12T00:00:00Z', '2026-01-12T03:15:00Z'],
    // Nine in Hawaii and the Aleutians is after two in New York, which ends the day at eight.
    ['the hours that are day in all zones', '14155552671', '2026-01-12T15:00:00Z', '2026-01-12T19:00:00Z'],
    ['and over once it is night in one', '14155552671', '2026-01-13T01:00:00Z', '2026-01-13T19:00:00Z'],
    ['+1 is more than one country', '18765551234', '2026-01-12T14:00:00Z', '2026-01-12T14:00:00Z'],
    // Germany puts its clocks forward on 29 March 2026 and back on 25 October.
    ['before the clocks go forward', '4915123456789', '2026-03-28T20:00:00Z', '2026-03-29T07:00:00Z'],
    ['before they go back', '4915123456789', '2026-10-24T20:00:00Z', '2026-10-25T08:00:00Z'],
    ['a number of no country is in its account’s zone', '80012345678', '2026-01-12T00:00:00Z', '2026-01-12T12:00:00Z'],
  ])('%s', (_case, number, now, expected) => {
    expect(nextDaytime(countryOf(number), 'America/Sao_Paulo', new Date(now))).toEqual(new Date(expected));
  });

  test('whatever is asked first, the answer is the same', () => {
    const at = (iso: string) => nextDaytime('DE', 'UTC', new Date(iso)).toISOString();
    const moments = ['2026-01-12T03:00:00Z', '2026-01-12T12:00:00Z', '2026-01-11T12:00:00Z', '2026-01-12T23:00:00Z'];
    const forwards = moments.map(at);
    expect(moments.toReversed().map(at)).toEqual(forwards.toReversed());
  });
});

describe('the day of allowances', () => {
  test.each<[string, string, string, string, string]>([
    ['before nine it is the day before', 'Europe/Berlin', '2026-01-12T07:59:59Z', '2026-01-11', '2026-01-12T08:00:00Z'],
    ['from nine on it is today', 'Europe/Berlin', '2026-01-12T08:00:00Z', '2026-01-12', '2026-01-13T08:00:00Z'],
    ['midnight begins nothing', 'Europe/Berlin', '2026-01-12T23:30:00Z', '2026-01-12', '2026-01-13T08:00:00Z'],
    ['a day of 23 hours', 'Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-28', '2026-03-29T07:00:00Z'],
    ['a day of 25 hours', 'Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-24', '2026-10-25T08:00:00Z'],
  ])('%s', (_case, timeZone, now, key, endsAt) => {
    expect(allowanceDay(new Date(now), timeZone)).toMatchObject({ key, endsAt: new Date(endsAt) });
  });
});
