import type { Tx } from '#server/context.ts';
import { recallQueued, withdrawQueued } from '#server/modules/outreach/recipients/index.ts';
import { bulkLedger } from './bulk-ledger.ts';
import { stoppedReason } from './bulk-run.ts';
import type { BulkRunRow } from './bulk-run.ts';
import { saveBulkRun } from './queries.ts';

/**
 * Takes back messages that phones have not tried to send: those of a paused run wait in it again, those of a stopped
 * run are withdrawn.
 */
export async function takeBackQueued(tx: Tx, run: BulkRunRow): Promise<void> {
  const ref = { accountId: run.account_id, sourceId: run.id };
  if (run.status === 'stopped') return withdrawQueued(tx, bulkLedger, { ...ref, reason: stoppedReason });
  if (run.status !== 'paused') return;
  const rows = await recallQueued(tx, bulkLedger, ref);
  if (rows.length === 0) return;
  await saveBulkRun(tx, run, {
    queued_count: run.queued_count - rows.length,
    fed_until: Math.min(run.fed_until, ...rows.map((row) => row - 1)),
  });
}
