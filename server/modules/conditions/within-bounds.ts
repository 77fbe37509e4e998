import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { createConcurrencyLimit } from '#server/platform/concurrency-limit.ts';
import { setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { BusyError, ProblemError } from '#server/platform/errors.ts';

/** What a condition may take that reads the account's profiles one after the other. */
const statementTimeoutMs = 10_000;

/** SQLSTATE of a statement that was cancelled. */
const cancelled = '57014';

/** They share the database with the messages: a few of them at once are enough. */
const scans = createConcurrencyLimit({
  maxRunning: 3,
  maxWaiting: 100,
  refusal: () => new BusyError('Too many conditions are being evaluated. Try again in a moment.', 5),
});

/** Runs statements that no index serves, within bounds. Throws 503 `too_costly` when they take too long. */
export function withinBounds<C extends Context, T>(
  ctx: C,
  work: (tx: Tx<C>) => Promise<T>,
  timeoutMs = statementTimeoutMs,
): Promise<T> {
  return scans.run(() => withinTime(ctx, work, timeoutMs));
}

/** The same for work in the background, of which the caller itself does little at once. */
export async function withinTime<C extends Context, T>(
  ctx: C,
  work: (tx: Tx<C>) => Promise<T>,
  timeoutMs: number,
): Promise<T> {
  try {
    return await inTransaction(ctx, async (tx) => {
      await setStatementTimeout(tx.db, timeoutMs);
      return work(tx);
    });
  } catch (error) {
    const isTooSlow = typeof error === 'object' && error !== null && 'code' in error && error.code === cancelled;
    if (!isTooSlow) throw error;
    throw new ProblemError(503, 'too_costly', 'This condition takes too long over this many profiles');
  }
}
