import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { notify } from '#server/platform/db/channels.ts';
import { flowNotification } from '../flow-notice.ts';

type SettlingEvent = DomainEvent & { type: 'message.sent' | 'message.failed'; data: Message };

const isSettling = (event: DomainEvent): event is SettlingEvent =>
  (event.type === 'message.sent' || event.type === 'message.failed') && event.data.flow_id !== null;

/**
 * Notes in the ledger what became of flows' messages, in the transaction that settles them. It locks no flow, which
 * would hold up the news of all phones: what changes in a flow's counts is left for whoever locks it next. Deliveries and
 * guards are locked in their order, as a run locks them.
 */
export async function settleDeliveries(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const news = events.filter(isSettling);
  if (news.length === 0) return;
  const now = tx.clock.now();
  const { rows } = await sql<{ account_id: number; flow_id: number }>`
    /* prepared: settle-deliveries */
    with news as (
      select * from unnest(${news.map(({ accountId }) => accountId)}::bigint[],
                           ${news.map(({ data }) => data.id)}::bigint[],
                           ${news.map(({ type }) => (type === 'message.sent' ? 'sent' : 'failed'))}::text[],
                           ${news.map(({ data }) => data.message)}::text[],
                           ${news.map(({ data }) => data.sent_at)}::timestamptz[],
                           ${news.map(({ data }) => data.error)}::text[])
             as x (account_id, message_id, status, body, sent_at, reason)
    ), before as (
      select d.account_id, d.flow_id, d.id, d.profile_id, d.status as old_status,
             news.status, news.body, news.sent_at, news.reason
        from news join flow_deliveries d on d.account_id = news.account_id and d.message_id = news.message_id
       where d.status in ('queued', 'failed') and d.status <> news.status
       order by d.account_id, d.flow_id, d.id
         for update of d
    ), settled as (
      update flow_deliveries d set status = b.status, body = b.body, sent_at = b.sent_at, reason = b.reason
        from before b
       where d.account_id = b.account_id and d.flow_id = b.flow_id and d.id = b.id
    ), guarding as (
      select g.account_id, g.flow_id, g.profile_id, b.old_status
        from before b join flow_profiles g using (account_id, flow_id, profile_id)
       order by g.account_id, g.flow_id, g.profile_id
         for update of g
    ), had as (
      update flow_profiles g
         set last_at = case b.old_status when 'queued' then ${now} else greatest(g.last_at, ${now}) end
        from guarding b
       where g.account_id = b.account_id and g.flow_id = b.flow_id and g.profile_id = b.profile_id
    )
    insert into flow_tallies (account_id, flow_id, queued, sent, failed)
    select account_id, flow_id,
           -count(*) filter (where old_status = 'queued'),
           count(*) filter (where status = 'sent'),
           count(*) filter (where status = 'failed') - count(*) filter (where old_status = 'failed')
      from before group by account_id, flow_id
    returning account_id, flow_id
  `.execute(tx.db);
  await notify(
    tx.db,
    rows.map((row) => flowNotification({ kind: 'settled', accountId: row.account_id, flowId: row.flow_id })),
  );
}
