import type { Tx } from '#server/context.ts';
import * as ledger from '#server/modules/outreach/recipients/index.ts';
import { flowLedger } from '../flow-ledger.ts';
import type { FlowRow } from '../present.ts';
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

export async function rewriteQueued(tx: Tx, flow: FlowRow): Promise<void> {
  await ledger.rewriteQueued(tx, flowLedger, { ...refOf(flow), template: flow.message, media: flow.media });
}
