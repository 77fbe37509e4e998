import { setTimeout as delay } from 'node:timers/promises';

/** Lets through as many a second as the rate says, with that many at once after a pause. */
export type Throttle = {
  turn(): Promise<void>;
  setRate(perSecond: number): void;
  /** Nobody has a turn for so long. */
  pause(ms: number): void;
};

export function createThrottle(initialRate: number): Throttle {
  let perSecond = initialRate;
  /** When the next place is free, on the process's own clock. */
  let nextAtMs = 0;
  return {
    async turn() {
      const now = performance.now();
      const gapMs = 1000 / perSecond;
      const place = Math.max(nextAtMs, now - 1000 + gapMs);
      nextAtMs = place + gapMs;
      if (place > now) await delay(place - now);
    },
    pause(ms) {
      nextAtMs = Math.max(nextAtMs, performance.now() + ms);
    },
    setRate(rate) {
      perSecond = rate;
    },
  };
}
