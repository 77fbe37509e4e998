import { sql } from 'kysely';
import type { Campaign } from '#contracts/campaigns.ts';
import type { Report } from '#contracts/reports.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { nothingToRetry, reportOf, requireFile, retryFailed } from '#server/modules/outreach/recipients/index.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { campaignLedger } from './campaign-ledger.ts';
import { retry } from './campaign.ts';
import { presentCampaign, presentCampaignFor } from './present.ts';
import { announceCampaign, getCampaignRecord, lockCampaign, saveCampaign } from './queries.ts';
import { cancelledReason } from './recall-queued.ts';

type CampaignId = { campaignId: number };

export async function reportCampaign(ctx: AccountContext, { campaignId }: CampaignId): Promise<Report> {
  return reportOf(ctx, campaignLedger, async (tx) => {
    const record = await getCampaignRecord(tx, campaignId);
    const { total_count, sent_count, failed_count, skipped_count, waiting_count } = presentCampaign(record);
    return {
      sourceId: campaignId,
      counts: {
        total: total_count,
        sent: sent_count,
        failed: failed_count,
        skipped: skipped_count,
        waiting: waiting_count,
      },
      outcomes: record.outcomes,
      cancelledReason: record.status === 'cancelled' ? cancelledReason : undefined,
    };
  });
}

/** Throws 409 `nothing_to_retry` where no failure may be mended by another attempt: its file may have gone, too. */
export async function retryFailedRecipients(ctx: AccountContext, { campaignId }: CampaignId): Promise<Campaign> {
  return inTransaction(ctx, async (tx) => {
    await setStatementTimeout(tx.db, longStatementMs);
    const ref = { accountId: tx.account.id, campaignId };
    const campaign = await lockCampaign(tx, ref);
    if (!campaign) throw new NotFoundError('Campaign');
    if (campaign.failed_count === 0) throw nothingToRetry();
    await requireFile(tx, campaign);
    const keys = await retryFailed(tx, campaignLedger, {
      accountId: ref.accountId,
      sourceId: campaignId,
      reset: sql`, changed_at = null`,
    });
    if (keys.length === 0) throw nothingToRetry();
    await saveCampaign(tx, campaign, retry(campaign, keys));
    await announceCampaign(tx, ref);
    return presentCampaignFor(tx, await getCampaignRecord(tx, campaignId));
  });
}
