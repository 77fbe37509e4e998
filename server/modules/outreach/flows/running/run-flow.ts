import { sql } from 'kysely';
import type { FlowRun } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { requireOwnAudience } from '#server/scope.ts';
import { audienceOf, countAudience } from './audience.ts';
import { flowNotification } from '../channels.ts';
import { presentFlow } from '../present.ts';
import { getFlowRow } from '../queries.ts';
import { noteRunEnd, runLeaseEnd } from './run-lease.ts';
import { takeProfiles } from './take-profiles.ts';

/** How long the caller waits; a worker goes on with the rest. */
const longestMs = 3_000;

/** Runs it now, active or not. */
export async function runFlow(ctx: AccountContext, { flowId }: { flowId: number }): Promise<FlowRun> {
  const flow = await getFlowRow(ctx, flowId);
  requireOwnAudience(ctx, flow);
  const { matched, skipped, isEstimate } = await countAudience(ctx, audienceOf(flow), flow.audience_project_ids);
  const lease = await noteStart(ctx, flowId);
  const startedAt = performance.now();
  const tookMs = () => performance.now() - startedAt;
  let isComplete = true;
  try {
    const result = await takeProfiles(ctx, { flowId, isByHand: true, mustStop: () => tookMs() > longestMs });
    isComplete = result.isComplete;
    const now = presentFlow(await getFlowRow(ctx, flowId));
    return { flow: now, matched, queued: result.queued, skipped, is_estimate: isEstimate };
  } finally {
    await noteRunEnd(ctx, { ...lease, tookMs: tookMs(), isComplete, lastError: null, failedRuns: 0 });
    await inTransaction(ctx, (tx) => notify(tx.db, [flowNotification({ kind: 'due' })]));
  }
}

/** Deliveries held back by the inactive flow may go out now. */
async function noteStart(ctx: AccountContext, flowId: number) {
  const now = ctx.clock.now();
  const leaseEnd = runLeaseEnd(now);
  await ctx.db
    .updateTable('flows')
    .set({
      last_run_at: now,
      next_run_at: leaseEnd,
      next_feed_at: sql<Date | null>`case when waiting_count > 0 then least(next_feed_at, ${now}) else next_feed_at end`,
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', flowId)
    .execute();
  return { accountId: ctx.account.id, flowId, leaseEnd };
}
