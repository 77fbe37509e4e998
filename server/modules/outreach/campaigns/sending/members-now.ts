import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { ClaimedOfLedger, Context, WithdrawnMessage } from '#server/context.ts';
import { questionOf } from '#server/modules/audience/conditions/index.ts';
import { criteriaOfSegment, findSegmentRow, namesDeleted } from '#server/modules/audience/segments/index.ts';
import { campaignLedger } from '../campaign-ledger.ts';
import { mustRecheck } from '../campaign.ts';
import type { CampaignRow } from '../campaign.ts';

type Rechecked = Pick<
  CampaignRow,
  'account_id' | 'segment_id' | 'recheck_members' | 'snapshot_at' | 'created_at' | 'kept_condition'
>;

/**
 * The present members of a campaign, over the table `profiles`; undefined where membership is not checked again. Of a
 * segment that was deleted its last condition holds; where that is not known, whoever was a member stays one.
 */
export async function membersNow(
  ctx: Context,
  account: { id: number; timezone: string },
  campaign: Rechecked,
): Promise<RawBuilder<boolean> | undefined> {
  const now = ctx.clock.now();
  if (!mustRecheck(campaign, now)) return undefined;
  const segment = await findSegmentRow({ ...ctx, account }, campaign.segment_id);
  const criteria = segment ? await criteriaOfSegment({ ...ctx, account }, segment) : campaign.kept_condition;
  const moment = { accountId: account.id, now, timezone: account.timezone };
  // A segment that it names may be deleted once the campaign is over, and its recipients tried again afterwards.
  return criteria && !namesDeleted(criteria) ? questionOf(criteria).predicate(moment) : undefined;
}

/** Of messages that phones are about to send, those to people who have left their campaign's segment meanwhile. */
export async function findLeavers(ctx: Context, claimed: readonly ClaimedOfLedger[]): Promise<WithdrawnMessage[]> {
  const left: WithdrawnMessage[] = [];
  for (const [campaignId, messages] of Map.groupBy(claimed, (message) => message.campaignId)) {
    const accountId = messages[0]?.accountId ?? 0;
    const row = await ctx.db
      .selectFrom('campaigns')
      .innerJoin('accounts', 'accounts.id', 'campaigns.account_id')
      .select(['campaigns.account_id', 'segment_id', 'recheck_members', 'snapshot_at', 'campaigns.created_at'])
      .select(['kept_condition', 'accounts.timezone'])
      .where('campaigns.account_id', '=', accountId)
      .where('campaigns.id', '=', campaignId)
      .executeTakeFirst();
    const isMember = row && (await membersNow(ctx, { id: accountId, timezone: row.timezone }, row));
    if (!isMember) continue;
    const { rows } = await sql<{ id: number }>`
      select m.id
        from unnest(${messages.map(({ id }) => id)}::bigint[], ${messages.map(({ profileId }) => profileId)}::bigint[])
               as m (id, profile_id)
       where not exists (select from profiles
                          where profiles.account_id = ${accountId} and profiles.id = m.profile_id and ${isMember})
    `.execute(ctx.db);
    left.push(...rows.map(({ id }) => ({ accountId, id, reason: campaignLedger.noLongerMatches })));
  }
  return left;
}
