import type { Tx } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { bulkRunsChannel } from './channels.ts';

/** A phone is there, or the subscription: what waited for it goes on, once the transaction has committed. */
export async function wakeBulkRuns(tx: Tx, accountId: number): Promise<void> {
  await notify(tx.db, [{ channel: bulkRunsChannel, payload: JSON.stringify([accountId]) }]);
}

/** A message came back from its phone: a run that was stopped meanwhile takes it back. */
export async function wakeBulkRun(
  tx: Tx,
  { accountId, bulkRunId }: { accountId: number; bulkRunId: number | null },
): Promise<void> {
  if (bulkRunId === null) return;
  await notify(tx.db, [{ channel: bulkRunsChannel, payload: JSON.stringify([accountId, bulkRunId]) }]);
}
