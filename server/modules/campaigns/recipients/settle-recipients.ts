import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { withdrawnCode } from '#server/modules/messages/index.ts';
import { channels, notify } from '#server/platform/db/channels.ts';

type Settled = DomainEvent & { type: 'message.sent' | 'message.failed' };

const isSettled = (event: DomainEvent): event is Settled =>
  (event.type === 'message.sent' || event.type === 'message.failed') && event.data.campaign_id !== null;

/**
 * Carries what became of messages over to their recipients, in the transaction that settles the messages. A failure
 * gives way to late word that it was sent after all. No campaign is locked: the counts' changes are tallied, for whoever
 * has it next to add up, so that settling never waits for feeding, nor feeding for a phone that is being deleted.
 */
export async function settleRecipients(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const settled = events.filter(isSettled);
  if (settled.length === 0) return;
  const { rows } = await sql<{ account_id: number; campaign_id: number }>`
    /* prepared: settle-recipients */
    with news as (
      select r.account_id, r.campaign_id, r.profile_id, r.status as before, x.at,
             case when x.type = 'message.sent' then 'sent'
                  when m.error_code = ${withdrawnCode} then 'skipped' else 'failed' end as after,
             m.error as reason
        from unnest(${settled.map(({ accountId }) => accountId)}::bigint[], ${settled.map(({ data }) => data.id)}::bigint[],
                    ${settled.map(({ data }) => data.campaign_id)}::bigint[], ${settled.map(({ type }) => type)}::text[],
                    ${settled.map(({ at }) => at)}::timestamptz[]) as x (account_id, message_id, campaign_id, type, at)
       cross join lateral (
         select profile_id, error, error_code from messages
          where account_id = x.account_id and id = x.message_id
          limit 1
       ) m
       cross join lateral (
         select * from campaign_recipients
          where account_id = x.account_id and campaign_id = x.campaign_id and profile_id = m.profile_id
            and message_id = x.message_id and (status = 'queued' or (status = 'failed' and x.type = 'message.sent'))
          limit 1
       ) r
    ), carried as (
      update campaign_recipients r
         set status = news.after, reason = case when news.after = 'sent' then null else news.reason end,
             changed_at = news.at
        from news
       where r.account_id = news.account_id and r.campaign_id = news.campaign_id and r.profile_id = news.profile_id
    )
    insert into campaign_tallies (account_id, campaign_id, queued, sent, failed, skipped)
    select account_id, campaign_id, -count(*) filter (where before = 'queued'), count(*) filter (where after = 'sent'),
           count(*) filter (where after = 'failed') - count(*) filter (where before = 'failed'),
           count(*) filter (where after = 'skipped')
      from news group by account_id, campaign_id
    returning account_id, campaign_id
  `.execute(tx.db);
  await notify(
    tx.db,
    rows.map(({ account_id, campaign_id }) => ({
      channel: channels.campaigns,
      payload: JSON.stringify([account_id, campaign_id]),
    })),
  );
}
