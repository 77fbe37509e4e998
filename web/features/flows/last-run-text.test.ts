import { expect, test } from 'vitest';
import { lastRunText } from './last-run-text.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const hour = 3600;
const day = 24 * hour;

test.each([
  [0, 'just now'],
  [4, 'just now'],
  [5, '5s ago'],
  [59, '59s ago'],
  [60, '1m ago'],
  [hour - 1, '59m ago'],
  [hour, '1h ago'],
  [day - 1, '23h ago'],
  [day, '1d ago'],
  [30 * day - 1, '29d ago'],
  [30 * day, '1mo ago'],
  [364 * day, '12mo ago'],
  [365 * day, '1y ago'],
  [800 * day, '2y ago'],
])('%i seconds ago reads %s', (seconds, text) => {
  expect(lastRunText(new Date(now - seconds * 1000).toISOString(), now)).toBe(text);
});

test('a clock that is behind reads as now', () => {
  expect(lastRunText(new Date(now + 30_000).toISOString(), now)).toBe('just now');
});
