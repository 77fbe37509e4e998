import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { forgetRules } from '#server/modules/audience/topics/index.ts';
import { forgetClicks } from '#server/modules/outreach/links/index.ts';
import { forgetOutcomes } from '#server/modules/outreach/outcomes/index.ts';
import { withdrawQueued } from '#server/modules/outreach/recipients/index.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { bulkLedger } from './bulk-ledger.ts';
import { lockOwnRun } from './change-bulk-run.ts';

/** Waiting rows are not sent; a trigger deletes the rows. The messages stay in the records. */
export async function deleteBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    await lockOwnRun(tx, runId);
    const accountId = tx.account.id;
    await withdrawQueued(tx, bulkLedger, { accountId, sourceId: runId, reason: 'The run was deleted' });
    await forgetRules(tx, { accountId, source: 'bulk_run', sourceId: runId });
    await forgetClicks(tx, { accountId, source: 'bulk_run', sourceId: runId });
    await forgetOutcomes(tx, { accountId, source: 'bulk_run', sourceId: runId });
    await tx.db.deleteFrom('bulk_runs').where('account_id', '=', accountId).where('id', '=', runId).execute();
    await publishLive(tx, accountId, { type: 'bulk_runs.changed', bulk_run_id: runId });
  });
}
