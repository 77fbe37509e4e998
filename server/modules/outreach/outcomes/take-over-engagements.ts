import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';

/** Messages that one transaction goes through. */
const messagesPerStep = 2_000;

/** The rest is left for the next round. */
const roundMs = 60_000;

/** Notes how far messages to many came that were settled before that was noted beside them. */
export async function takeOverEngagements(ctx: Context): Promise<void> {
  const endsAt = performance.now() + roundMs;
  while (performance.now() < endsAt && (await takeStep(ctx)));
}

/**
 * A slice of an account's messages, from the latest to the first. Each changed when it came furthest, not now: flows find
 * nobody by it who was there before.
 */
// account-wide: one worker goes through the messages of all accounts.
async function takeStep(ctx: Context): Promise<boolean> {
  return inTransaction(ctx, async (tx) => {
    const { rows: due } = await sql<{ account_id: number; before_id: number | null }>`
      select account_id, before_id from engagement_backfill order by account_id limit 1 for update skip locked
    `.execute(tx.db);
    const [account] = due;
    if (!account) return false;
    const { account_id: accountId, before_id: beforeId } = account;
    const { rows } = await sql<{ first_id: number | null; count: number }>`
      with slice as materialized (
        select id, profile_id, campaign_id, flow_id, bulk_run_id, status, sent_at, delivered_at, read_at, created_at
          from messages
         where account_id = ${accountId} and (${beforeId}::bigint is null or id < ${beforeId})
         order by id desc limit ${messagesPerStep}
      ), known as (
        select m.*, a.answered_at, c.clicked_at, w.opted_out_at,
               case when m.campaign_id is not null then 'campaign' when m.flow_id is not null then 'flow'
                    else 'bulk_run' end as source,
               coalesce(m.campaign_id, m.flow_id, m.bulk_run_id) as source_id
          from slice m
          left join message_answers a on a.account_id = ${accountId} and a.message_id = m.id
          left join lateral (select min(clicked_at) as clicked_at from message_clicks c
                              where c.account_id = ${accountId} and c.message_id = m.id) as c on true
          left join last_writes w on w.account_id = ${accountId} and w.message_id = m.id
         where m.profile_id is not null and m.status in ('sent', 'delivered', 'read', 'failed')
           and coalesce(m.campaign_id, m.flow_id, m.bulk_run_id) is not null
      ), noted as (
        insert into engagements as g (account_id, message_id, profile_id, source, source_id, sent_at, delivered_at, read_at,
                                      replied_at, clicked_at, failed_at, opted_out_at, changed_at)
        select distinct on (id) ${accountId}, id, profile_id, source, source_id, sent_at, delivered_at, read_at, answered_at,
               clicked_at, case when status = 'failed' then coalesce(sent_at, created_at) end, opted_out_at,
               greatest(created_at, sent_at, delivered_at, read_at, answered_at, clicked_at, opted_out_at)
          from known order by id
        on conflict (account_id, message_id) do update
           set sent_at = coalesce(g.sent_at, excluded.sent_at),
               delivered_at = coalesce(g.delivered_at, excluded.delivered_at),
               read_at = coalesce(g.read_at, excluded.read_at), replied_at = coalesce(g.replied_at, excluded.replied_at),
               clicked_at = coalesce(g.clicked_at, excluded.clicked_at),
               failed_at = coalesce(g.failed_at, excluded.failed_at),
               opted_out_at = coalesce(g.opted_out_at, excluded.opted_out_at)
      )
      select min(id) as first_id, count(*)::int as count from slice
    `.execute(tx.db);
    const { first_id: firstId = null, count = 0 } = rows[0] ?? {};
    const own = sql`account_id = ${accountId}`;
    if (count < messagesPerStep) await sql`delete from engagement_backfill where ${own}`.execute(tx.db);
    else await sql`update engagement_backfill set before_id = ${firstId} where ${own}`.execute(tx.db);
    return true;
  });
}
