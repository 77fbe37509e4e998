import type { Pool } from 'pg';

export type Recount = {
  source: string;
  source_id: number;
  sent: number;
  delivered: number;
  read: number;
  replied: number;
};

/**
 * Counts the outcomes of each campaign, flow and bulk run from the messages themselves, without the counts that the
 * product keeps.
 */
export async function recountOutcomes(pool: Pick<Pool, 'query'>): Promise<Recount[]> {
  const { rows } = await pool.query<Recount>(`
    with written as (
      select account_id, id, case when campaign_id is not null then 'campaign' when flow_id is not null then 'flow'
                                 when bulk_run_id is not null then 'bulk_run' end as source,
             coalesce(campaign_id, flow_id, bulk_run_id) as source_id, phone_key(recipient) as number, sent_at, delivered_at, read_at
        from messages where direction = 'outgoing' and sent_at is not null and status <> 'failed'
    ), answered as (
      select distinct last.id
        from messages a
        cross join lateral (
          select id, sent_at from written w
           where w.account_id = a.account_id and w.number = phone_key(a.sender)
             and w.sent_at <= a.created_at
           order by w.sent_at desc, w.id desc limit 1
        ) as last
       where a.direction = 'incoming' and a.body <> 'STOP' and a.created_at <= last.sent_at + interval '7 days'
    )
    select source, source_id::int, count(*)::int as sent, count(delivered_at)::int as delivered,
           count(read_at)::int as read, count(*) filter (where id in (select id from answered))::int as replied
      from written where source is not null group by source, source_id order by source, source_id`);
  return rows;
}

/** The same as the product keeps it. */
export async function keptOutcomes(pool: Pick<Pool, 'query'>): Promise<Recount[]> {
  const { rows } = await pool.query<Recount>(`
    select source, source_id::int, sum(sent)::int as sent, sum(delivered)::int as delivered, sum(read)::int as read,
           sum(replied)::int as replied
      from (select source, source_id, sent, delivered, read, replied from outcome_totals
            union all select source, source_id, sent, delivered, read, replied from outcome_tallies) as kept
     group by source, source_id order by source, source_id`);
  return rows;
}
