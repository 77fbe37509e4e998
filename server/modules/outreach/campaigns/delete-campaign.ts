import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { forgetRules } from '#server/modules/audience/topics/index.ts';
import { forgetClicks } from '#server/modules/outreach/links/index.ts';
import { forgetOutcomes } from '#server/modules/outreach/outcomes/index.ts';
import { deleteOwnSegment } from '#server/modules/audience/segments/index.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { forgetAlerts } from './follow-status.ts';
import { lockCampaign } from './queries.ts';
import { withdrawQueued } from './recall-queued.ts';

/** Waiting recipients get nothing; a trigger deletes the recipients. The messages stay in the records. */
export async function deleteCampaign(ctx: AccountContext, { campaignId }: { campaignId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    const campaign = await lockCampaign(tx, { accountId: tx.account.id, campaignId });
    if (!campaign) throw new NotFoundError('Campaign');
    await withdrawQueued(tx, campaign, 'The campaign was deleted');
    await forgetAlerts(tx, campaign);
    await forgetRules(tx, { accountId: tx.account.id, source: 'campaign', sourceId: campaignId });
    await forgetClicks(tx, { accountId: tx.account.id, source: 'campaign', sourceId: campaignId });
    await forgetOutcomes(tx, { accountId: tx.account.id, source: 'campaign', sourceId: campaignId });
    await tx.db.deleteFrom('campaigns').where('account_id', '=', tx.account.id).where('id', '=', campaignId).execute();
    await deleteOwnSegment(tx, { accountId: tx.account.id, segmentId: campaign.segment_id });
    await publishLive(tx, tx.account.id, { type: 'campaigns.changed', campaign_id: campaignId });
  });
}
