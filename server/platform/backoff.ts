/** A pause of `firstMs` after the first failure, twice as long with each further one in a row, up to `longestMs`. */
export type Growth = { firstMs: number; longestMs: number };

/** `failures` counts from 1. */
export function pauseAfter(failures: number, { firstMs, longestMs }: Growth): number {
  return Math.min(longestMs, firstMs * 2 ** Math.min(failures - 1, 30));
}

/** Half of a pause is left to chance, so that those which failed together do not try again together. */
export function spread(pauseMs: number, random = Math.random()): number {
  return pauseMs * (0.5 + random / 2);
}

const minuteMs = 60_000;

/** When to try again what has failed so many times: after a minute at first, after an hour at the most. */
export function retryAt(now: Date, attempts: number): Date {
  return new Date(now.getTime() + pauseAfter(attempts, { firstMs: minuteMs, longestMs: 60 * minuteMs }));
}

/** How long each of many things is left alone after it failed: longer with each failure in a row. */
export type Backoff<K> = {
  /** Answers how long it is to be left alone now, in milliseconds. */
  failed(key: K): number;
  succeeded(key: K): void;
  /** The rest of the key's pause, in milliseconds; 0 when it may be tried. */
  pauseOf(key: K): number;
  /** The keys that are paused now. */
  paused(): K[];
};

type Options = Growth & { monotonicMs?: () => number };

/** A key that is not asked for again is forgotten after twice its pause. */
export function createBackoff<K>({ monotonicMs = () => performance.now(), ...growth }: Options): Backoff<K> {
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
      const pauseMs = pauseAfter(failures, growth);
      entries.set(key, { failures, until: now + pauseMs, forgottenAt: now + pauseMs + growth.longestMs });
      return pauseMs;
    },
    succeeded: (key) => void entries.delete(key),
    pauseOf,
    paused: () => [...entries.keys()].filter((key) => pauseOf(key) > 0),
  };
}
