import type { Criteria } from '#contracts/expressions.ts';
import type { Tx } from '#server/context.ts';
import { failedWith } from './campaign.ts';
import { followStatus } from './follow-status.ts';
import { forgetRecipients } from './forget-recipients.ts';
import { announceCampaign, announceStatus } from './queries.ts';

/** Campaigns without a complete snapshot of the segment cannot take one any more. Runs in the transaction that deletes it. */
export async function failCampaignsOfSegment(
  tx: Tx,
  { accountId, segmentId, criteria }: { accountId: number; segmentId: number; criteria: Criteria },
): Promise<void> {
  const now = tx.clock.now();
  // Recipients who have left are still skipped: the last condition holds.
  await tx.db
    .updateTable('campaigns')
    .set({ kept_condition: JSON.stringify(criteria) as never })
    .where('account_id', '=', accountId)
    .where('segment_id', '=', segmentId)
    .where('status', 'in', ['running', 'paused'])
    .execute();
  const rows = await tx.db
    .updateTable('campaigns')
    .set({ ...failedWith('The segment was deleted', now), updated_at: now })
    .where('account_id', '=', accountId)
    .where('segment_id', '=', segmentId)
    .where('status', 'in', ['scheduled', 'creating', 'paused'])
    .where('spread_from', 'is', null)
    .returning(['account_id', 'id', 'project_id', 'name', 'status', 'error'])
    .execute();
  for (const row of rows) {
    const campaignId = row.id;
    await followStatus(tx, { status: 'creating' }, row);
    await announceStatus(tx, row);
    await forgetRecipients(tx, { accountId, campaignId });
    await announceCampaign(tx, { accountId, campaignId });
  }
}
