import { expect, test } from 'vitest';
import { reconnectDelayMs } from './backoff.ts';

const backoff = { firstMs: 1_000, longestMs: 60_000 };

test.each([
  [0, 0, 0],
  [0, 1, 1_000],
  [1, 1, 2_000],
  [3, 0.5, 4_000],
  [6, 1, 60_000],
  [500, 0.5, 30_000],
])('attempt %i with chance %f waits %i ms', (attempt, random, expected) => {
  expect(reconnectDelayMs(backoff, attempt, random)).toBe(expected);
});
