import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { pauseForList } from '../campaign.ts';
import type { CampaignRow, CampaignStep } from '../campaign.ts';

/** Fewer say nothing of a list. */
const judgedTogether = 50;
const worstShare = 0.1;

/**
 * Judges who a campaign's list is made of, each time that 50 more have been looked up: where over a tenth of them are not
 * on WhatsApp, going on would cost the phones dearly. Empty while there is nothing to judge.
 */
export async function judgeList(tx: Tx, campaign: CampaignRow): Promise<CampaignStep> {
  const sent = campaign.sent_count - campaign.judged_sent;
  const failed = campaign.failed_count - campaign.judged_failed;
  if (sent + failed < judgedTogether) return {};
  const judged = { judged_sent: campaign.sent_count, judged_failed: campaign.failed_count };
  if (failed <= worstShare * (sent + failed)) return judged;
  const allMissing = await countMissing(tx, campaign);
  const missing = allMissing - campaign.judged_missing;
  const step = { ...judged, judged_missing: allMissing };
  if (missing <= worstShare * (sent + missing)) return step;
  return { ...step, ...pauseForList(campaign, { missing, lookedUp: sent + missing }, tx.clock.now()) };
}

async function countMissing(tx: Tx, { account_id: accountId, id: campaignId }: CampaignRow): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count
      from campaign_recipients r
     cross join lateral (select error_code from messages where account_id = r.account_id and id = r.message_id limit 1) m
     where r.account_id = ${accountId} and r.campaign_id = ${campaignId} and r.status = 'failed'
       and m.error_code = 'not_on_whatsapp'
  `.execute(tx.db);
  return rows[0]?.count ?? 0;
}
