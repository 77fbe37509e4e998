import { expect, test } from 'vitest';
import { simulateMonth } from './simulate-month.ts';

/** The figures of docs/numbers-health.md are those of `npm run month`. */
test('three new numbers under a campaign of 20,000 are not locked in a month', () => {
  const month = simulateMonth({ isProtected: true, tellsCap: true });
  expect(month).toMatchObject({ locks: 0, refused: 0 });
  expect(month.busiestDay).toBeLessThanOrEqual(30);
  // Known contacts are all written to, and new ones every day.
  expect(month.sentKnown).toBeGreaterThan(6_000);
  expect(month.sentFirst).toBeGreaterThan(2_000);
});

test('unprotected they are locked over and over, and go on by themselves after each lock', () => {
  const month = simulateMonth({ isProtected: false, tellsCap: false });
  expect(month.locks).toBeGreaterThan(30);
  // Each lock follows a single refusal: nothing is tried against a known lock.
  expect(month.refused).toBe(month.locks);
  expect(month.lastWeekFirst).toBeGreaterThan(500);
});

test('where WhatsApp reports no cap, the defaults run into few locks and recover', () => {
  const month = simulateMonth({ isProtected: true, tellsCap: false });
  expect(month.locks).toBeLessThanOrEqual(9);
  expect(month.lastWeekFirst).toBeGreaterThan(100);
});
