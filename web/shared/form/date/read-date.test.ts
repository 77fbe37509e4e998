import { expect, test } from 'vitest';
import { addMonths, dayAt, firstPart, formatDay, readDay, readTime, weekStart, weeksOf } from './read-date.ts';

const today = '2026-11-20';

test.each([
  ['2026-11-24', '2026-11-24'],
  ['2026/1/4', '2026-01-04'],
  ['24/11/2026', '2026-11-24'],
  ['5.6.2027', '2027-06-05'],
  ['05/06/27', '2027-06-05'],
  ['11/24/2026', '2026-11-24'],
  ['24 Nov 2026', '2026-11-24'],
  ['Tuesday 24 November 2026', '2026-11-24'],
  ['Nov 24, 2026', '2026-11-24'],
  ['november 24th', '2026-11-24'],
  ['3 Jan', '2027-01-03'],
  ['20 Nov', '2026-11-20'],
  ['24.12.', '2026-12-24'],
  ['tomorrow', '2026-11-21'],
  ['29 Feb 2027', undefined],
  ['31/11/2026', undefined],
  ['13/13/2026', undefined],
  ['24 Foo 2026', undefined],
  ['soon', undefined],
  ['', undefined],
])('“%s” is read as %s where the day comes first', (text, day) => {
  expect(readDay(text, { today, first: 'day' })).toBe(day);
});

test.each([
  ['05/06/2027', '2027-05-06'],
  ['24/11/2026', '2026-11-24'],
  ['12/1', '2026-12-01'],
])('“%s” is read as %s where the month comes first', (text, day) => {
  expect(readDay(text, { today, first: 'month' })).toBe(day);
});

test('the order is the one of the reader', () => {
  expect(['en-US', 'en-GB', 'de', 'ja', 'pt-BR'].map(firstPart)).toEqual(['month', 'day', 'day', 'year', 'day']);
  expect([weekStart('en-US'), weekStart('de')]).toEqual([7, 1]);
});

test.each([
  ['9', '09:00'],
  ['9:30', '09:30'],
  ['0930', '09:30'],
  ['9.30 pm', '21:30'],
  ['12 am', '00:00'],
  ['12pm', '12:00'],
  ['21:05', '21:05'],
  ['noon', '12:00'],
  ['24:00', undefined],
  ['9:75', undefined],
  ['13 pm', undefined],
  ['later', undefined],
])('the time “%s” is read as %s', (text, time) => {
  expect(readTime(text)).toBe(time);
});

test('a day that a field shows is read back as the same day', () => {
  for (const first of ['day', 'month', 'year'] as const) {
    for (const day of ['2026-01-02', '2026-05-31', '2026-09-10', '2028-02-29']) {
      expect(readDay(formatDay(day), { today, first })).toBe(day);
    }
  }
});

test('the day is the one that the zone has', () => {
  const at = new Date('2026-11-20T23:30:00Z');
  expect([dayAt(at, 'UTC'), dayAt(at, 'Asia/Tokyo'), dayAt(at, 'America/Lima')]).toEqual([
    '2026-11-20',
    '2026-11-21',
    '2026-11-20',
  ]);
});

test('a month is shown by whole weeks, and the next one keeps within its days', () => {
  const weeks = weeksOf('2026-11-20', 1);
  expect([weeks.length, weeks[0]?.[0], weeks.at(-1)?.at(-1)]).toEqual([6, '2026-10-26', '2026-12-06']);
  expect(weeksOf('2027-02-01', 1)).toHaveLength(4);
  expect([addMonths('2026-01-31', 1), addMonths('2026-12-31', 2)]).toEqual(['2026-02-28', '2027-02-28']);
});
