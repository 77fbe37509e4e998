import type { Campaign, CampaignChange } from '#contracts/campaigns.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { requireCarriedText, takeCarried } from '#server/modules/messaging/media/index.ts';
import { holdProject } from '#server/modules/identity/projects/index.ts';
import { deleteOwnSegment } from '#server/modules/audience/segments/index.ts';
import { setRules } from '#server/modules/audience/topics/index.ts';
import { requireOwnAudience } from '#server/scope.ts';
import { changedAudience } from './audience.ts';
import { changedTemplate, refuseBesideTemplate } from '#server/modules/outreach/recipients/index.ts';
import { bindsOther, carriesOther, edit } from './campaign.ts';
import { changeCampaign } from './change-campaign.ts';
import { forgetRecipients } from './forget-recipients.ts';
import { getCampaignRecord, lockCampaign } from './queries.ts';
import { recallQueued, rewriteQueued } from './recall-queued.ts';

const sameAudience = { segment_id: undefined, audience: undefined };

type UpdateCampaign = { campaignId: number; change: CampaignChange };

/** A message that has not gone out gets the new text and file, and another segment gets a snapshot of its own. */
export async function updateCampaign(ctx: AccountContext, { campaignId, change }: UpdateCampaign): Promise<Campaign> {
  return inTransaction(ctx, async (tx) => {
    // Deleting a segment locks it before its campaigns, deleting a project locks them before it.
    const seen = await getCampaignRecord(tx, campaignId);
    requireOwnAudience(tx, seen);
    const { project_id: projectId = seen.project_id } = change;
    const audience = await changedAudience(tx, seen, change);
    await lockCampaign(tx, { accountId: tx.account.id, campaignId });
    const { media: asked, template: wanted, topic_id: topicId, when_capped: whenCapped, priority, ...rest } = change;
    await setRules(
      tx,
      { source: 'campaign', sourceId: campaignId },
      { given: { topic_id: topicId, when_capped: whenCapped, priority } },
    );
    const media = asked ? await takeCarried(tx, { media: asked }) : asked;
    if (projectId !== seen.project_id) await holdProject(tx, projectId);
    const template = await changedTemplate(tx, { before: seen, projectId, wanted });
    return changeCampaign(tx, {
      campaignId,
      decide(campaign, now) {
        const step = edit(campaign, { ...rest, ...(audience ?? sameAudience), media, template }, now);
        const after = { ...campaign, ...step };
        if (after.template) refuseBesideTemplate(after);
        else if (change.message !== undefined || media !== undefined || template !== undefined)
          requireCarriedText(after.message, after.media);
        return step;
      },
      async follow(inner, { before, after }) {
        if (after.segment_id !== before.segment_id) {
          const accountId = inner.account.id;
          await forgetRecipients(inner, { accountId, campaignId });
          await deleteOwnSegment(inner, { accountId, segmentId: before.segment_id });
        }
        if (after.queued_count === 0) return;
        const isOther = carriesOther(before.media, after.media) || bindsOther(before.template, after.template);
        if (isOther) await recallQueued(inner, after);
        else if (after.message !== before.message) await rewriteQueued(inner, after);
      },
    });
  });
}
