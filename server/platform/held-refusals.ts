import { setTimeout as delay } from 'node:timers/promises';

/**
 * Holds refusals back, so that asking again at once is no faster than waiting, and so that those of one key (an account)
 * come at a bounded rate, whatever the number of its connections: a refusal costs something, too.
 */
export type HeldRefusals = { hold(key: number): Promise<void> };

const leastMs = 1_000;
/** Between two refusals of one key. */
const spacingMs = 50;
/** Programs give up soon after. */
const mostMs = 20_000;

export function createHeldRefusals(wait: (ms: number) => Promise<void> = delay): HeldRefusals {
  const held = new Map<number, number>();
  return {
    async hold(key) {
      const count = (held.get(key) ?? 0) + 1;
      held.set(key, count);
      await wait(Math.min(mostMs, Math.max(leastMs, count * spacingMs)));
      const left = (held.get(key) ?? 1) - 1;
      if (left === 0) held.delete(key);
      else held.set(key, left);
    },
  };
}
