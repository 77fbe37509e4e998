import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { MessageLeaf } from '#contracts/expressions.ts';
import type { AccountContext } from '#server/context.ts';

/** The outcome of a message of a campaign or a flow for a person. */
export type Engagement = {
  of: 'campaign' | 'flow';
  sourceId: number;
  messageId: number | null;
  at: Date;
  hasFailed: boolean;
  hasReplied: boolean;
  hasClicked: boolean;
  /** How far the network says it came; null once retention has erased it. */
  reached: 'sent' | 'delivered' | 'read' | null;
};

/** Entries of ledgers that phones have been through, as `Engagement` with the profile's id. Months of messages go as a whole. */
export function engagementOf(
  accountId: number,
  { of, id }: MessageLeaf['message'],
  profileIds?: readonly number[],
): RawBuilder<unknown> {
  const narrowed = (source: RawBuilder<unknown>) => sql`
    e.account_id = ${accountId} and e.status in ('sent', 'failed')
    ${id === undefined ? sql`` : sql`and ${source} = ${id}`}
    ${profileIds === undefined ? sql`` : sql`and e.profile_id = any(${profileIds}::bigint[])`}`;
  const campaigns = sql`
    select e.profile_id, 'campaign' as of, e.campaign_id as source_id, e.message_id, e.status, e.changed_at as at
      from campaign_recipients e where ${narrowed(sql`e.campaign_id`)}`;
  const flows = sql`
    select e.profile_id, 'flow' as of, e.flow_id as source_id, e.message_id, e.status,
           coalesce(e.sent_at, e.changed_at, e.created_at) as at
      from flow_deliveries e where ${narrowed(sql`e.flow_id`)}`;
  const entries = { campaign: campaigns, flow: flows, any: sql`${campaigns} union all ${flows}` }[of];
  return sql`
    select e.profile_id, e.of, e.source_id, e.message_id, e.at, e.status = 'failed' as has_failed,
           exists (select from message_answers a where a.account_id = ${accountId} and a.message_id = e.message_id)
             as has_replied,
           exists (select from message_clicks c where c.account_id = ${accountId} and c.message_id = e.message_id)
             as has_clicked,
           case when m.status in ('delivered', 'read') then m.status when m.id is not null then 'sent'
                when g.read_at is not null then 'read' when g.delivered_at is not null then 'delivered'
                when g.message_id is not null then 'sent' end as reached
      from (${entries}) as e
      left join engagements g on g.account_id = ${accountId} and g.message_id = e.message_id
      left join messages m on m.account_id = ${accountId} and m.id = e.message_id`;
}

const most = 1000;

/** By profile, the latest first. */
export async function findEngagement(
  ctx: AccountContext,
  profileIds: readonly number[],
): Promise<Map<number, Engagement[]>> {
  const { rows } = await sql<Engagement & { profileId: number }>`
    select profile_id as "profileId", of, source_id as "sourceId", message_id as "messageId", at,
           has_failed as "hasFailed", has_replied as "hasReplied", has_clicked as "hasClicked", reached
      from (${engagementOf(ctx.account.id, { of: 'any' }, profileIds)}) as e
     order by at desc, message_id desc
  `.execute(ctx.db);
  return new Map([...Map.groupBy(rows, ({ profileId }) => profileId)].map(([id, own]) => [id, own.slice(0, most)]));
}
