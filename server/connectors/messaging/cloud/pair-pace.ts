/**
 * Meta's pair rate: a message to one person in six seconds. Up to 45 within six seconds are lent, and nothing more goes
 * to them until the time of all of them has passed. Source: developers.facebook.com/docs/whatsapp/cloud-api/overview.
 */
export const pairGapMs = 6_000;
const mostLent = 45;

/** `lentUntil`: the end of the six seconds; `lent`: messages in them; `freeAt`: the debt is paid; `promisedAt`: the latest turn given. */
type Pair = { lentUntil: number; lent: number; freeAt: number; promisedAt: number };

export type PairPace = {
  /** How long a message to this person has to wait, in milliseconds. 0: it counts as sent. */
  take(to: string): number;
};

/** Pairs that owe nothing are forgotten, so often. */
const sweptAt = 10_000;

/** `nowMs`: a clock that never goes back. */
export function createPairPace(nowMs: () => number): PairPace {
  const pairs = new Map<string, Pair>();
  let sweepAt = sweptAt;

  function sweep(now: number): void {
    if (pairs.size < sweepAt) return;
    for (const [to, { freeAt, promisedAt }] of pairs) if (Math.max(freeAt, promisedAt) <= now) pairs.delete(to);
    sweepAt = Math.max(sweptAt, 2 * pairs.size);
  }

  return {
    take(to) {
      const now = nowMs();
      sweep(now);
      const pair = pairs.get(to);
      if (!pair || pair.freeAt <= now) {
        const freeAt = now + pairGapMs;
        pairs.set(to, { lentUntil: freeAt, lent: 1, freeAt, promisedAt: pair?.promisedAt ?? 0 });
        return 0;
      }
      if (now < pair.lentUntil && pair.lent < mostLent) {
        pair.lent += 1;
        pair.freeAt += pairGapMs;
        return 0;
      }
      // Turns are given one after another, so that those who wait do not meet again.
      pair.promisedAt = Math.max(pair.freeAt, pair.promisedAt + pairGapMs);
      return pair.promisedAt - now;
    },
  };
}
