import type { LiveEvent } from '#contracts/live.ts';

/** Longer than a page takes to open its stream on a slow connection. */
const keptMs = 30_000;
/** Of all accounts, in each of the two generations. */
const defaultMost = 10_000;

type Kept = { atMs: number; accountId: number; event: LiveEvent };

/** The last events of all accounts, for pages that begin to read before their stream is open. */
export type RecentEvents = {
  add(accountId: number, event: LiveEvent, atMs: number): void;
  /** The events of an account since then; a `resync` where they are no longer known. */
  since(accountId: number, sinceMs: number): LiveEvent[];
  /** Events may have been missed before this moment. */
  forget(nowMs: number): void;
};

/** Times in milliseconds of one clock that never goes back. Events are dropped a generation at a time. */
export function createRecentEvents(nowMs: number, most = defaultMost): RecentEvents {
  let older: Kept[] = [];
  let newer: Kept[] = [];
  let completeFromMs = nowMs;

  function turnGeneration(): void {
    if (older.length > 0) completeFromMs = newer[0]?.atMs ?? completeFromMs;
    older = newer;
    newer = [];
  }

  return {
    add(accountId, event, atMs) {
      const oldestMs = newer[0]?.atMs ?? atMs;
      if (newer.length >= most || oldestMs <= atMs - keptMs) turnGeneration();
      newer.push({ atMs, accountId, event });
    },
    since(accountId, sinceMs) {
      if (sinceMs < completeFromMs) return [{ type: 'resync' }];
      return [...older, ...newer]
        .filter((kept) => kept.accountId === accountId && kept.atMs >= sinceMs)
        .map(({ event }) => event);
    },
    forget(now) {
      older = [];
      newer = [];
      completeFromMs = now;
    },
  };
}
