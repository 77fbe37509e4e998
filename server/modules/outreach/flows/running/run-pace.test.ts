import { expect, test } from 'vitest';
import { nextRunAt, pacedUntil, retryPauseMs } from './run-pace.ts';

const now = new Date(1_790_000_000_000);
const after = (at: Date) => at.getTime() - now.getTime();

test.each([
  ['a quick run comes round within the minute', 20, 0, 60_000],
  ['flows spread over a few seconds', 20, 1, 55_000],
  ['two seconds leave the minute as it is', 2_000, 0, 60_000],
  ['ten seconds are a twentieth of the time', 10_000, 1, 200_000],
])('%s', (_name, tookMs, share, expected) => {
  expect(after(nextRunAt(now, tookMs, share))).toBe(expected);
});

test.each([
  ['a quick one is followed by a second', 5, 1_000],
  ['a slow one by four times its length', 3_000, 12_000],
])('while profiles change, %s', (_name, tookMs, expected) => {
  expect(after(pacedUntil(now, tookMs))).toBe(expected);
});

test.each([
  [0, 0],
  [1, 60_000],
  [2, 120_000],
  [6, 1_920_000],
  [7, 3_600_000],
  [5_000, 3_600_000],
])('after %i failed searches in a row a flow is left alone for %i ms', (failedRuns, expected) => {
  expect(retryPauseMs(failedRuns)).toBe(expected);
});
