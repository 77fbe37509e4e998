import { sql } from 'kysely';
import type { Flow } from '#contracts/flows.ts';
import type { Report } from '#contracts/reports.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/identity/live/index.ts';
import { nothingToRetry, reportOf, requireFile, retryFailed } from '#server/modules/outreach/recipients/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { BusyError, NotFoundError } from '#server/platform/errors.ts';
import { flowNotification } from './channels.ts';
import { flowLedger } from './flow-ledger.ts';
import { presentFlow } from './present.ts';
import type { FlowRow } from './tables.ts';
import { getFlowRow, lockFlow, saveFlow } from './queries.ts';

type FlowId = { flowId: number };

export async function reportFlow(ctx: AccountContext, { flowId }: FlowId): Promise<Report> {
  return reportOf(ctx, flowLedger, async (tx) => {
    const row = await getFlowRow(tx, flowId);
    const { sent, failed, skipped, waiting } = presentFlow(row).counts;
    return {
      sourceId: flowId,
      counts: { total: sent + failed + skipped + waiting, sent, failed, skipped, waiting },
      outcomes: row.outcomes,
    };
  });
}

/**
 * Active or not, as a run by hand is. Throws 409 `nothing_to_retry` where no failure may be mended by another attempt, and
 * 503 while what waited when it was switched off is being given up.
 */
export async function retryFailedDeliveries(ctx: AccountContext, { flowId }: FlowId): Promise<Flow> {
  return inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    const flow = await lockFlow(tx, flowId);
    if (!flow) throw new NotFoundError('Flow');
    if (flow.discard_until !== null) throw new BusyError('The flow is being switched off. Try again in a moment', 5);
    if (flow.failed_count === 0) throw nothingToRetry();
    await requireFile(tx, flow);
    const retried = await retryLatest(tx, flow);
    if (retried === 0) throw nothingToRetry();
    await saveFlow(tx, flow, {
      failed_count: flow.failed_count - retried,
      waiting_count: flow.waiting_count + retried,
      next_feed_at: tx.clock.now(),
    });
    await notify(tx.db, [
      ...liveNotifications(tx.account.id, { type: 'flows.changed', flow_id: flowId }),
      flowNotification({ kind: 'due' }),
    ]);
    return presentFlow(await getFlowRow(tx, flowId));
  });
}

/**
 * Of each profile its last delivery alone, as long as the profile is guarded: whoever got the message since, or is about
 * to, gets no other. The guard is closed until the new attempt is settled.
 */
async function retryLatest(tx: Tx, { account_id: accountId, id: flowId }: FlowRow): Promise<number> {
  const ids = await retryFailed(tx, flowLedger, {
    accountId,
    sourceId: flowId,
    reset: sql`, changed_at = null`,
    among: sql`e.id in (
      select max(d.id) from flow_deliveries d
        join flow_profiles g on g.account_id = d.account_id and g.flow_id = d.flow_id and g.profile_id = d.profile_id
       where d.account_id = ${accountId} and d.flow_id = ${flowId} and g.last_at <> 'infinity'
       group by d.profile_id)`,
  });
  await sql`
    with guarding as (
      select g.profile_id from flow_profiles g
       where g.account_id = ${accountId} and g.flow_id = ${flowId}
         and g.profile_id in (select profile_id from flow_deliveries
                               where account_id = ${accountId} and flow_id = ${flowId} and id = any(${ids}::bigint[]))
       order by g.profile_id for update of g
    )
    update flow_profiles g set last_at = 'infinity' from guarding
     where g.account_id = ${accountId} and g.flow_id = ${flowId} and g.profile_id = guarding.profile_id
  `.execute(tx.db);
  return ids.length;
}
