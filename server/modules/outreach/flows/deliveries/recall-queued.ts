import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import * as ledger from '#server/modules/outreach/recipients/index.ts';
import { flowLedger } from '../flow-ledger.ts';
import type { FlowRow } from '../tables.ts';
import { saveFlow } from '../queries.ts';

const refOf = ({ account_id: accountId, id: sourceId }: FlowRow) => ({ accountId, sourceId });

export async function withdrawQueued(tx: Tx, flow: FlowRow, reason: string): Promise<void> {
  await ledger.withdrawQueued(tx, flowLedger, { ...refOf(flow), reason });
}

/** Takes it back to wait in the ledger again, its profiles guarded as before. Under the flow's lock. */
export async function recallQueued(tx: Tx, flow: FlowRow): Promise<FlowRow> {
  const { length: recalled } = await ledger.recallQueued(tx, flowLedger, refOf(flow));
  if (recalled === 0) return flow;
  const counts = { waiting_count: flow.waiting_count + recalled, queued_count: flow.queued_count - recalled };
  await saveFlow(tx, flow, counts);
  return { ...flow, ...counts };
}

/**
 * Gives up the messages that phones were sending as the flow was switched off, and gave back since: their deliveries are
 * discarded as the planned ones were. Under the flow's lock.
 */
export async function giveUpReturned(tx: Tx, flow: FlowRow): Promise<FlowRow> {
  if (flow.is_active || flow.stopped_until === null || flow.queued_count === 0) return flow;
  const { account_id: accountId, id: flowId, stopped_until: until } = flow;
  const queued = await tx.db
    .selectFrom('flow_deliveries')
    .select('message_id')
    .where('account_id', '=', accountId)
    .where('flow_id', '=', flowId)
    .where('status', '=', 'queued')
    .where('id', '<=', until)
    .execute();
  const messageIds = queued.flatMap(({ message_id: messageId }) => messageId ?? []);
  const { length: recalled } = await ledger.recallThese(tx, flowLedger, { ...refOf(flow), messageIds });
  if (recalled === 0) return flow;
  const counts = { queued_count: flow.queued_count - recalled };
  await saveFlow(tx, flow, counts);
  await sql`
    update flows set discard_until = ${until} where account_id = ${accountId} and id = ${flowId}
  `.execute(tx.db);
  return { ...flow, ...counts, discard_until: until };
}

export async function rewriteQueued(tx: Tx, flow: FlowRow): Promise<void> {
  await ledger.rewriteQueued(tx, flowLedger, { ...refOf(flow), template: flow.message, media: flow.media });
}
