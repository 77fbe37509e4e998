import type { Clock } from '#server/platform/clock.ts';

/** Stands still until it is told to go on. */
export type TestClock = Clock & { advance(ms: number): void };

export function createTestClock(start = new Date()): TestClock {
  let now = start.getTime();
  return {
    now: () => new Date(now),
    advance(ms) {
      now += ms;
    },
  };
}
