import { expect, test } from 'vitest';
import { timeLeft } from './time-left.ts';

test.each([
  [{ elapsedMs: 10_000, done: 10, left: 30 }, 'Less than a minute left'],
  [{ elapsedMs: 10_000, done: 10, left: 300 }, 'About 5 min left'],
  [{ elapsedMs: 10_000, done: 10, left: 12_600 }, 'About 3 h 30 min left'],
  [{ elapsedMs: 10_000, done: 10, left: 7200 }, 'About 2 h left'],
  [{ elapsedMs: 10_000, done: 10, left: 7190 }, 'About 2 h left'],
  [{ elapsedMs: 10_000, done: 0, left: 300 }, undefined],
  [{ elapsedMs: 10_000, done: 10, left: 0 }, undefined],
])('%j: %s', (pace, text) => {
  expect(timeLeft(pace)).toBe(text);
});
