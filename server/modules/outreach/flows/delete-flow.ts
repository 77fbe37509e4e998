import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { changesOf } from '#server/modules/audience/membership/index.ts';
import { forgetRules } from '#server/modules/audience/topics/index.ts';
import { forgetClicks } from '#server/modules/outreach/links/index.ts';
import { forgetOutcomes } from '#server/modules/outreach/outcomes/index.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { lockFlow } from './queries.ts';
import { dropCandidates } from './running/candidates.ts';
import { withdrawQueued } from './deliveries/recall-queued.ts';

/** Waiting deliveries are not sent; a trigger deletes the deliveries. The messages stay in the records. */
export async function deleteFlow(ctx: AccountContext, { flowId }: { flowId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    const flow = await lockFlow(tx, flowId);
    if (!flow) throw new NotFoundError('Flow');
    await withdrawQueued(tx, flow, 'The flow was deleted');
    await lockUnsettled(tx, flowId);
    await dropCandidates(tx, flow);
    await forgetRules(tx, { accountId: tx.account.id, source: 'flow', sourceId: flowId });
    await forgetClicks(tx, { accountId: tx.account.id, source: 'flow', sourceId: flowId });
    await forgetOutcomes(tx, { accountId: tx.account.id, source: 'flow', sourceId: flowId });
    // Their answers to what was sent to them change with its deliveries.
    await changesOf(sql`
      select account_id, profile_id from flow_deliveries
       where account_id = ${tx.account.id} and flow_id = ${flowId} and status in ('sent', 'failed')
    `).execute(tx.db);
    await tx.db.deleteFrom('flows').where('account_id', '=', tx.account.id).where('id', '=', flowId).execute();
    await publishLive(tx, tx.account.id, { type: 'flows.changed', flow_id: flowId });
  });
}

/** In the order in which news of their messages lock them. */
async function lockUnsettled(tx: Tx<AccountContext>, flowId: number): Promise<void> {
  await tx.db
    .selectFrom('flow_deliveries')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where('flow_id', '=', flowId)
    .where('status', '=', 'queued')
    .orderBy('id')
    .forUpdate()
    .execute();
}
