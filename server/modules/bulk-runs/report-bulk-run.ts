import type { Report } from '#contracts/reports.ts';
import type { AccountContext } from '#server/context.ts';
import { reportOf } from '#server/modules/recipients/index.ts';
import { bulkLedger } from './bulk-ledger.ts';
import { presentBulkRun } from './present.ts';
import { getBulkRunRow } from './queries.ts';

export async function reportBulkRun(ctx: AccountContext, { runId }: { runId: number }): Promise<Report> {
  const run = presentBulkRun(await getBulkRunRow(ctx, runId));
  return reportOf(ctx, bulkLedger, {
    sourceId: runId,
    counts: {
      total: run.total_count,
      sent: run.sent_count,
      failed: run.failed_count,
      skipped: run.skipped_count,
      waiting: run.waiting_count,
    },
  });
}
