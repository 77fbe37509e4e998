import type { Tx } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { campaignsChannel } from './channels.ts';

/** A phone is there, or the subscription: what waited for it goes on, once the transaction has committed. */
export async function wakeCampaigns(tx: Tx, accountId: number): Promise<void> {
  await notify(tx.db, [{ channel: campaignsChannel, payload: JSON.stringify([accountId]) }]);
}
