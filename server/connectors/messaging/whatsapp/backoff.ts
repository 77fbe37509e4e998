export type Backoff = { firstMs: number; maxMs: number };

export const reconnectBackoff: Backoff = { firstMs: 1_000, maxMs: 120_000 };

/**
 * Full jitter: anything between nothing and a ceiling that doubles with every attempt up to the maximum, so that phones
 * which were lost together do not come back together.
 */
export function backoffDelayMs({ firstMs, maxMs }: Backoff, attempt: number, random: number): number {
  return Math.round(Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30)) * random);
}
