import { expect, test } from 'vitest';
import { durationText } from '#web/shared/duration-text.ts';
import { firstDay, timesSearch } from './times-search.ts';

test.each([
  [null, '–'],
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [3_599, '59 min'],
  [3_600, '1 h'],
  [7_859, '2 h 10 min'],
  [86_400, '1 d'],
  [273_600, '3 d 4 h'],
])('%s seconds are said as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});

test('a range ends with its last day, over the end of a month', () => {
  expect(firstDay('2026-03-02', 7)).toBe('2026-02-24');
  expect(firstDay('2026-03-02', 1)).toBe('2026-03-02');
});

test('an address that says something else is the last 30 days of all projects', () => {
  expect(timesSearch({ days: '90', project: 7 })).toEqual({ days: 90, project: 7 });
  expect(timesSearch({ days: 31, project: 'x' })).toEqual({});
  expect(timesSearch({ days: 30, project: -1 })).toEqual({});
});
