import { expect, test } from 'vitest';
import { formatDayName, formatDayTime, formatListTime, formatRelativeTime } from './time-format.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const secondsAgo = (seconds: number) => new Date(now - seconds * 1000).toISOString();
const day = 86_400;

test.each([
  [0, 'just now'],
  [4, 'just now'],
  [5, '5s ago'],
  [59, '59s ago'],
  [60, '1m ago'],
  [3599, '59m ago'],
  [3600, '1h ago'],
  [day - 1, '23h ago'],
  [day, '1d ago'],
  [7 * day - 1, '6d ago'],
  [7 * day, '13 Nov 2026'],
])('%i seconds ago reads %s', (seconds, text) => {
  expect(formatRelativeTime(secondsAgo(seconds), now)).toBe(text);
});

test('a clock that is behind reads as now', () => {
  expect(formatRelativeTime(secondsAgo(-30), now)).toBe('just now');
});

const noon = new Date(2026, 10, 20, 12).getTime();
const daysAgo = (days: number, hour = 9) => new Date(2026, 10, 20 - days, hour, 5).toISOString();

test.each([
  [daysAgo(0), '09:05', 'Today'],
  [daysAgo(1, 23), 'Yesterday', 'Yesterday'],
  [daysAgo(2), 'Wednesday', 'Wednesday 18 November'],
  [daysAgo(8), '12/11/26', 'Thursday 12 November'],
  [new Date(2025, 10, 12, 9).toISOString(), '12/11/25', '12 November 2025'],
])('%s is %s in a list and heads %s', (at, inList, head) => {
  expect(formatListTime(at, noon)).toBe(inList);
  expect(formatDayName(at, noon)).toBe(head);
});

test.each([
  [daysAgo(0), 'today, 09:05'],
  [daysAgo(1), 'yesterday, 09:05'],
  [daysAgo(-1), 'tomorrow, 09:05'],
  [daysAgo(-2), '22 Nov 2026, 09:05'],
])('%s is %s amid a sentence', (at, text) => {
  expect(formatDayTime(at, noon)).toBe(text);
});
