import type { Criteria } from '#contracts/expressions.ts';
import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { namesSegment } from '#server/modules/audience/segments/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { failedWith } from './campaign.ts';
import { followStatus } from './follow-status.ts';
import { forgetRecipients } from './forget-recipients.ts';
import { announceCampaign, announceStatus } from './queries.ts';

/**
 * Throws 409 `segment_in_use` where an unfinished campaign's own audience names the segment. Runs in the transaction
 * that deletes it.
 */
export async function refuseSegmentOfCampaigns(
  tx: Tx,
  { accountId, segmentId }: { accountId: number; segmentId: number },
): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select c.name from campaigns c
     where c.account_id = ${accountId} and c.status in ('scheduled', 'creating', 'running', 'paused')
       and ${namesSegment(sql`c.audience`, segmentId)}
     order by c.id limit 1
  `.execute(tx.db);
  const [user] = rows;
  if (user) throw new ConflictError('segment_in_use', `The campaign “${user.name}” goes by this segment`);
}

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
