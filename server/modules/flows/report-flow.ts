import type { Report } from '#contracts/reports.ts';
import type { AccountContext } from '#server/context.ts';
import { reportOf } from '#server/modules/recipients/index.ts';
import { flowLedger } from './flow-ledger.ts';
import { presentFlow } from './present.ts';
import { getFlowRow } from './queries.ts';

export async function reportFlow(ctx: AccountContext, { flowId }: { flowId: number }): Promise<Report> {
  const row = await getFlowRow(ctx, flowId);
  const { sent, failed, skipped, waiting } = presentFlow(row).counts;
  return reportOf(ctx, flowLedger, {
    sourceId: flowId,
    counts: { total: sent + failed + skipped + waiting, sent, failed, skipped, waiting },
    outcomes: row.outcomes,
  });
}
