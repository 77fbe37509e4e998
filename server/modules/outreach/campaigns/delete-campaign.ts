import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { changesOf } from '#server/modules/audience/membership/index.ts';
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
    // Their answers to what was sent to them change with its recipients.
    await changesOf(sql`
      select account_id, profile_id from campaign_recipients
       where account_id = ${tx.account.id} and campaign_id = ${campaignId} and status in ('sent', 'failed')
    `).execute(tx.db);
    await tx.db.deleteFrom('campaigns').where('account_id', '=', tx.account.id).where('id', '=', campaignId).execute();
    await deleteOwnSegment(tx, { accountId: tx.account.id, segmentId: campaign.segment_id });
    await publishLive(tx, tx.account.id, { type: 'campaigns.changed', campaign_id: campaignId });
  });
}
