import { isCancelled, TooCostlyError, withAdmission } from '#server/admission.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { setStatementTimeout } from '#server/platform/db/timeouts.ts';

/** The time limit of a condition that reads the account's profiles one after the other. */
const statementTimeoutMs = 10_000;

/** Runs statements that no index serves, when it is the account's turn. Throws 503 `too_costly` when they take too long. */
export function withinBounds<C extends Context & { account: { id: number } }, T>(
  ctx: C,
  work: (tx: Tx<C>) => Promise<T>,
  timeoutMs = statementTimeoutMs,
): Promise<T> {
  return withAdmission(ctx, 'scan', (admitted) => withinTime(admitted, work, timeoutMs));
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
    if (!isCancelled(error)) throw error;
    throw new TooCostlyError('This condition takes too long over this many profiles');
  }
}
