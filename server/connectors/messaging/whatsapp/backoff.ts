export type Backoff = { firstMs: number; maxMs: number };

export const reconnectBackoff: Backoff = { firstMs: 1_000, maxMs: 60_000 };

/** Doubles with every attempt up to the maximum, then takes half of it and a random part of the other half. */
export function backoffDelayMs({ firstMs, maxMs }: Backoff, attempt: number, random: number): number {
  const full = Math.min(maxMs, firstMs * 2 ** Math.min(attempt, 30));
  return Math.round(full / 2 + (full / 2) * random);
}
