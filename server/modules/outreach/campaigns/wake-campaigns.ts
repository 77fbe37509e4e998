import type { Tx } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { campaignsChannel } from './channels.ts';

/** A phone is there, or the subscription: what waited for it goes on, once the transaction has committed. */
export async function wakeCampaigns(tx: Tx, accountId: number): Promise<void> {
  await notify(tx.db, [{ channel: campaignsChannel, payload: JSON.stringify([accountId]) }]);
}

/** A message came back from its phone: a campaign that was stopped meanwhile takes it back. */
export async function wakeCampaign(
  tx: Tx,
  { accountId, campaignId }: { accountId: number; campaignId: number | null },
): Promise<void> {
  if (campaignId === null) return;
  await notify(tx.db, [{ channel: campaignsChannel, payload: JSON.stringify([accountId, campaignId]) }]);
}
