/** How long each of many things is left alone after it failed: longer with each failure in a row. */
export type Backoff<K> = {
  /** Answers how long it is to be left alone now, in milliseconds. */
  failed(key: K): number;
  succeeded(key: K): void;
  /** What is left of its pause, in milliseconds; 0 when it may be tried. */
  pauseOf(key: K): number;
  /** Those that are left alone now. */
  paused(): K[];
};

type Options = { firstMs: number; longestMs: number; monotonicMs?: () => number };

/** One that nobody asks for again is forgotten after its pause and as long again. */
export function createBackoff<K>({ firstMs, longestMs, monotonicMs = () => performance.now() }: Options): Backoff<K> {
  const entries = new Map<K, { failures: number; until: number; forgottenAt: number }>();
  const pauseOf = (key: K) => Math.max(0, (entries.get(key)?.until ?? 0) - monotonicMs());

  function forgetOld(now: number): void {
    for (const [key, { forgottenAt }] of entries) if (forgottenAt <= now) entries.delete(key);
  }

  return {
    failed(key) {
      const now = monotonicMs();
      forgetOld(now);
      const failures = (entries.get(key)?.failures ?? 0) + 1;
      const pauseMs = Math.min(longestMs, firstMs * 2 ** (failures - 1));
      entries.set(key, { failures, until: now + pauseMs, forgottenAt: now + pauseMs + longestMs });
      return pauseMs;
    },
    succeeded: (key) => void entries.delete(key),
    pauseOf,
    paused: () => [...entries.keys()].filter((key) => pauseOf(key) > 0),
  };
}
