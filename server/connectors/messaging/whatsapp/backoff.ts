import { pauseAfter } from '#server/platform/backoff.ts';
import type { Growth } from '#server/platform/backoff.ts';

export const reconnectGrowth: Growth = { firstMs: 1_000, longestMs: 120_000 };

/**
 * Full jitter: anything between nothing and a ceiling that doubles with every attempt, so that phones which were lost
 * together do not come back together. `attempt` counts from 0.
 */
export function reconnectDelayMs(growth: Growth, attempt: number, random: number): number {
  return Math.round(pauseAfter(attempt + 1, growth) * random);
}
