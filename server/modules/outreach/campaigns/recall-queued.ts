import type { Tx } from '#server/context.ts';
import * as ledger from '#server/modules/outreach/recipients/index.ts';
import type { CampaignRow } from './campaign.ts';
import { campaignLedger } from './campaign-ledger.ts';
import { saveCampaign } from './queries.ts';

const refOf = ({ account_id: accountId, id: sourceId }: CampaignRow) => ({ accountId, sourceId });

export const cancelledReason = 'The campaign was cancelled';

export async function withdrawQueued(tx: Tx, campaign: CampaignRow, reason: string): Promise<void> {
  await ledger.withdrawQueued(tx, campaignLedger, { ...refOf(campaign), reason });
}

/** Takes it back to wait in the ledger again. Under the campaign's lock. */
export async function recallQueued(tx: Tx, campaign: CampaignRow): Promise<void> {
  const profileIds = await ledger.recallQueued(tx, campaignLedger, refOf(campaign));
  if (profileIds.length === 0) return;
  await saveCampaign(tx, campaign, {
    queued_count: campaign.queued_count - profileIds.length,
    fed_until: Math.min(campaign.fed_until, ...profileIds.map((profileId) => profileId - 1)),
  });
}

export async function rewriteQueued(tx: Tx, campaign: CampaignRow): Promise<void> {
  await ledger.rewriteQueued(tx, campaignLedger, {
    ...refOf(campaign),
    template: campaign.message,
    media: campaign.media,
  });
}
