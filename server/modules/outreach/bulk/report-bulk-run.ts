import { sql } from 'kysely';
import type { BulkRun } from '#contracts/bulk-runs.ts';
import type { Report } from '#contracts/reports.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { nothingToRetry, reportOf, requireFile, retryFailed } from '#server/modules/outreach/recipients/index.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { bulkLedger } from './bulk-ledger.ts';
import { retry, stoppedReason } from './bulk-run.ts';
import { lockOwnRun } from './change-bulk-run.ts';
import { presentBulkRun } from './present.ts';
import { announceBulkRun, getBulkRunRow, saveBulkRun } from './queries.ts';

type RunId = { runId: number };

export async function reportBulkRun(ctx: AccountContext, { runId }: RunId): Promise<Report> {
  return reportOf(ctx, bulkLedger, async (tx) => {
    const run = presentBulkRun(await getBulkRunRow(tx, runId));
    return {
      sourceId: runId,
      counts: {
        total: run.total_count,
        sent: run.sent_count,
        failed: run.failed_count,
        skipped: run.skipped_count,
        waiting: run.waiting_count,
      },
      cancelledReason: run.status === 'stopped' ? stoppedReason : undefined,
    };
  });
}

/** Throws 409 `nothing_to_retry` where no failure may be mended by another attempt. */
export async function retryFailedRows(ctx: AccountContext, { runId }: RunId): Promise<BulkRun> {
  return inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    const run = await lockOwnRun(tx, runId);
    if (run.failed_count === 0) throw nothingToRetry();
    await requireFile(tx, run);
    const ref = { accountId: tx.account.id, sourceId: runId };
    const rows = await retryFailed(tx, bulkLedger, { ...ref, reset: sql`, changed_at = null` });
    if (rows.length === 0) throw nothingToRetry();
    await saveBulkRun(tx, run, retry(run, rows));
    await announceBulkRun(tx, { accountId: ref.accountId, runId });
    return presentBulkRun(await getBulkRunRow(tx, runId));
  });
}
