import { expect, test } from 'vitest';
import { simulateMonth } from './simulate-month.ts';
import { worlds } from './worlds.ts';
import type { World } from './worlds.ts';

const worldOf = (name: string) => worlds[name] as World;

/** The figures of docs/numbers-health.md are those of `npm run month`. */
test('a good list brings at most one lock a number, and most of what somebody who knew the judge could send', () => {
  const scenario = { world: worldOf('20 % answer'), newPerDay: 30, isProtected: true, tellsCap: false };
  const month = simulateMonth(scenario, { seed: 1 });
  expect(month).toMatchObject({ bans: 0 });
  expect(month.mostLocks).toBeLessThanOrEqual(1);
  expect(month.ofKnowing).toBeGreaterThanOrEqual(0.7);
});

test('a list that hardly answers bans no number, though somebody resumes its campaign every morning', () => {
  const scenario = { world: worldOf('1 % answer'), newPerDay: 20, isProtected: true, tellsCap: false };
  const month = simulateMonth(scenario, { seed: 2 });
  expect(month).toMatchObject({ bans: 0 });
  expect(month.waitedFor).toContain('a person');
});

test('unprotected, all of the numbers are banned', () => {
  const scenario = { world: worldOf('20 % answer'), newPerDay: 30, isProtected: false, tellsCap: false };
  expect(simulateMonth(scenario, { seed: 1 }).bans).toBe(3);
});
