import type { Tx } from '#server/context.ts';
import { recallMessages, withdrawMessages } from '#server/modules/messages/index.ts';
import { rewriteUnsent } from '#server/modules/recipients/index.ts';
import type { FlowRow } from '../present.ts';
import { saveFlow } from '../queries.ts';

async function findQueued(tx: Tx, flow: FlowRow): Promise<number[]> {
  const rows = await tx.db
    .selectFrom('flow_deliveries')
    .select('message_id')
    .where('account_id', '=', flow.account_id)
    .where('flow_id', '=', flow.id)
    .where('status', '=', 'queued')
    .execute();
  return rows.flatMap(({ message_id: messageId }) => messageId ?? []);
}

/** Takes back for good what was handed to a phone and has not gone out: a phone that is away might send it days later. */
export async function withdrawQueued(tx: Tx, flow: FlowRow, reason: string): Promise<void> {
  const messageIds = await findQueued(tx, flow);
  await withdrawMessages(tx, { accountId: flow.account_id, messageIds, reason });
}

/** Takes it back to wait in the ledger again, its profiles guarded as before. Under the flow's lock. */
export async function recallQueued(tx: Tx, flow: FlowRow): Promise<FlowRow> {
  const messageIds = await recallMessages(tx, { accountId: flow.account_id, messageIds: await findQueued(tx, flow) });
  if (messageIds.length === 0) return flow;
  const { numUpdatedRows } = await tx.db
    .updateTable('flow_deliveries')
    .set({ status: 'waiting', message_id: null })
    .where('account_id', '=', flow.account_id)
    .where('flow_id', '=', flow.id)
    .where('status', '=', 'queued')
    .where('message_id', 'in', messageIds)
    .executeTakeFirst();
  const recalled = Number(numUpdatedRows);
  const counts = { waiting_count: flow.waiting_count + recalled, queued_count: flow.queued_count - recalled };
  await saveFlow(tx, flow, counts);
  return { ...flow, ...counts };
}

/** Gives what has not gone out the flow's new text; whom that has nothing to say to gets nothing. */
export async function rewriteQueued(tx: Tx, flow: FlowRow): Promise<void> {
  const unsent = await tx.db
    .selectFrom('flow_deliveries as d')
    .innerJoin('profiles', (join) =>
      join.onRef('profiles.account_id', '=', 'd.account_id').onRef('profiles.id', '=', 'd.profile_id'),
    )
    .selectAll('profiles')
    .select('d.message_id')
    .where('d.account_id', '=', flow.account_id)
    .where('d.flow_id', '=', flow.id)
    .where('d.status', '=', 'queued')
    .execute();
  await rewriteUnsent(tx, { accountId: flow.account_id, template: flow.message, unsent });
}
