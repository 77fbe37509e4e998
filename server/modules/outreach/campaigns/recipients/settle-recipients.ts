import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { settleEntries } from '#server/modules/outreach/recipients/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { campaignLedger } from '../campaign-ledger.ts';
import { campaignsChannel } from '../channels.ts';

/** Carries what became of messages over to their recipients, in the transaction that settles the messages. */
export async function settleRecipients(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const settled = await settleEntries(tx, campaignLedger, events);
  const payloads = new Set(settled.map((entry) => JSON.stringify([entry.account_id, entry.source_id])));
  await notify(
    tx.db,
    [...payloads].map((payload) => ({ channel: campaignsChannel, payload })),
  );
}
