import type { Campaign, CampaignChange } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { holdProject } from '#server/modules/projects/index.ts';
import { holdSegment } from '#server/modules/segments/index.ts';
import { edit } from './campaign.ts';
import { changeCampaign } from './change-campaign.ts';
import { forgetRecipients } from './forget-recipients.ts';
import { getCampaignRecord, lockCampaign } from './queries.ts';
import { rewriteQueued } from './recall-queued.ts';

type UpdateCampaign = { campaignId: number; change: CampaignChange };

/** A message that has not gone out gets the new text, and another segment gets a snapshot of its own. */
export async function updateCampaign(ctx: AccountContext, { campaignId, change }: UpdateCampaign): Promise<Campaign> {
  return inTransaction(ctx, async (tx) => {
    // Whoever deletes a segment locks it before its campaigns, whoever deletes a project locks them before it.
    const seen = await getCampaignRecord(tx, campaignId);
    const { project_id: projectId = seen.project_id, segment_id: segmentId = seen.segment_id } = change;
    if (segmentId !== seen.segment_id) await holdSegment(tx, segmentId);
    await lockCampaign(tx, { accountId: tx.account.id, campaignId });
    if (projectId !== seen.project_id) await holdProject(tx, projectId);
    return changeCampaign(tx, {
      campaignId,
      decide: (campaign, now) => edit(campaign, change, now),
      async follow(inner, { before, after }) {
        if (after.segment_id !== before.segment_id) {
          await forgetRecipients(inner, { accountId: inner.account.id, campaignId });
        }
        if (after.message !== before.message && after.queued_count > 0) await rewriteQueued(inner, after);
      },
    });
  });
}
