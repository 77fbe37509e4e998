import { setTimeout as delay } from 'node:timers/promises';

/** Waits for `work`, which may fail, but no longer than this. */
export async function settlesWithin(limitMs: number, work: Promise<unknown>): Promise<void> {
  const ended = new AbortController();
  const limit = delay(limitMs, undefined, { signal: ended.signal }).catch(() => undefined);
  await Promise.race([work.catch(() => undefined), limit]);
  ended.abort();
}
