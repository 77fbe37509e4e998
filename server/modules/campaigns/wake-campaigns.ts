import type { Tx } from '#server/context.ts';
import { channels, notify } from '#server/platform/db/channels.ts';

/** A phone is there, or the subscription: what waited for it goes on, once the transaction has committed. */
export async function wakeCampaigns(tx: Tx, accountId: number): Promise<void> {
  await notify(tx.db, [{ channel: channels.campaigns, payload: JSON.stringify([accountId]) }]);
}
