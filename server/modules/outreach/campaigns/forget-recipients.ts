import type { Tx } from '#server/context.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';
import type { CampaignRef } from './queries.ts';

/** Deletes the campaign's ledger. Under its lock: a slice of a snapshot that is under way then changes nothing. */
export async function forgetRecipients(tx: Tx, { accountId, campaignId }: CampaignRef): Promise<void> {
  await setStatementTimeout(tx.db, longStatementMs);
  await tx.db
    .deleteFrom('campaign_recipients')
    .where('account_id', '=', accountId)
    .where('campaign_id', '=', campaignId)
    .execute();
}
