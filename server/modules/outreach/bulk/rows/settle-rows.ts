import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { settleEntries } from '#server/modules/outreach/recipients/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { bulkLedger } from '../bulk-ledger.ts';
import { bulkRunsChannel } from '../channels.ts';

/** Carries what became of messages over to their rows, in the transaction that settles the messages. */
export async function settleRows(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const settled = await settleEntries(tx, bulkLedger, events);
  const payloads = new Set(settled.map((entry) => JSON.stringify([entry.account_id, entry.source_id])));
  await notify(
    tx.db,
    [...payloads].map((payload) => ({ channel: bulkRunsChannel, payload })),
  );
}
