import { expect, test } from 'vitest';
import { nextRunAt, pacedUntil } from './run-pace.ts';

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
