import { describe, expect, test } from 'vitest';
import { nextAttemptAt, parseRetryAfter } from './retry-schedule.ts';

const now = new Date('2026-03-01T12:00:00Z');
const secondsUntil = (at: Date | undefined) => at && (at.getTime() - now.getTime()) / 1000;

describe('nextAttemptAt', () => {
  test.each([
    [1, 5],
    [2, 300],
    [3, 1800],
    [4, 7200],
    [5, 18_000],
    [6, 36_000],
    [7, 36_000],
    [8, undefined],
    [9, undefined],
  ])('after attempt %i waits %s s', (attempts, seconds) => {
    expect(secondsUntil(nextAttemptAt(attempts, { now, random: 0.5 }))).toBe(seconds);
  });

  test('spreads by a fifth either way', () => {
    expect(secondsUntil(nextAttemptAt(2, { now, random: 0 }))).toBe(240);
    expect(secondsUntil(nextAttemptAt(2, { now, random: 0.999_999 }))).toBeCloseTo(360, 1);
  });

  test.each([
    ['later than the schedule', 600_000, 600],
    ['sooner than the schedule', 1000, 300],
    ['absurdly late', 10 ** 12, 86_400],
  ])('follows a Retry-After that is %s', (_, retryAfterMs, seconds) => {
    expect(secondsUntil(nextAttemptAt(2, { now, random: 0.5, retryAfterMs }))).toBe(seconds);
  });

  test('a Retry-After adds no attempt', () => {
    expect(nextAttemptAt(8, { now, random: 0.5, retryAfterMs: 1000 })).toBeUndefined();
  });
});

describe('parseRetryAfter', () => {
  test.each([
    ['120', 120_000],
    [' 7 ', 7000],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    [undefined, undefined],
  ])('reads %o', (header, expected) => {
    expect(parseRetryAfter(header, now)).toBe(expected);
  });
});
