import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { skippedCodes } from '#server/modules/messaging/messages/index.ts';
import { settleReservations } from '#server/modules/outreach/caps/index.ts';
import { entriesOf, prepared } from './ledger.ts';
import type { Ledger } from './ledger.ts';

export type SettledEntry = {
  account_id: number;
  source_id: number;
  message_id: number;
  /** Null where entries are of numbers. */
  profile_id: number | null;
  before: 'queued' | 'sent' | 'failed' | 'skipped';
  after: 'sent' | 'failed' | 'skipped';
};

/**
 * Carries what became of messages over to their entries, in the transaction that settles the messages. A failure gives
 * way to a late receipt that it was sent after all, and what was sent can fail. No source is locked: the counts' changes are tallied, for whoever has it
 * next to add up, so that settling never waits for feeding, nor feeding for a phone that is being deleted. Entries are
 * locked in their order. Answers those that have changed.
 */
export async function settleEntries(tx: Tx, ledger: Ledger, events: readonly DomainEvent[]): Promise<SettledEntry[]> {
  const all = events.flatMap((event) => newsOf(ledger, event));
  // An entry that was sent and failed within a batch has failed.
  const news = [...new Map(all.map((each) => [each.messageId, each])).values()];
  if (news.length === 0) return [];
  const source = sql.ref(ledger.source);
  const { rows } = await sql<SettledEntry>`
    ${prepared(ledger, 'settle-entries')}
    with reported as (
      select * from unnest(${news.map(({ accountId }) => accountId)}::bigint[],
                           ${news.map(({ messageId }) => messageId)}::bigint[],
                           ${news.map(({ sourceId }) => sourceId)}::bigint[], ${news.map(({ isSent }) => isSent)}::boolean[],
                           ${news.map(({ at }) => at)}::timestamptz[]) as x (account_id, message_id, source_id, is_sent, at)
    ), found as materialized (
      select m.*, e.key
        from reported x
       cross join lateral (
         select x.account_id, x.source_id, x.is_sent, x.at, id, profile_id, body, sent_at, error, error_code from messages
          where account_id = x.account_id and id = x.message_id
          limit 1
       ) m
       cross join lateral (
         select ${sql.ref(`e.${ledger.key}`)} as key from ${entriesOf(ledger)} e where ${ledger.entryOfMessage} limit 1
       ) e
       order by m.account_id, m.source_id, e.key
    ), n as materialized (
      select found.*, e.profile_id as entry_profile_id, e.status as before,
             case when is_sent then 'sent' when error_code = any(${skippedCodes}::text[]) then 'skipped' else 'failed' end as after
        from found
       cross join lateral (
         select ${ledger.profileId} as profile_id, status from ${entriesOf(ledger)}
          where account_id = found.account_id and ${source} = found.source_id and ${sql.ref(ledger.key)} = found.key
            and message_id = found.id
            and (status = 'queued' or (status in ('failed', 'skipped') and found.is_sent)
                 or (status = 'sent' and not found.is_sent))
          limit 1
            for update
       ) e
    ), settled as (
      update ${entriesOf(ledger)} e
         set status = n.after, reason = case when n.after = 'sent' then null else n.error end ${ledger.onSettle}
        from n
       where e.account_id = n.account_id and ${sql.ref(`e.${ledger.source}`)} = n.source_id
         and ${sql.ref(`e.${ledger.key}`)} = n.key
    ), tallied as (
      insert into ${sql.table(ledger.tallies)} (account_id, ${source}, queued, sent, failed, skipped)
      select account_id, source_id, -count(*) filter (where before = 'queued'), count(*) filter (where after = 'sent') - count(*) filter (where before = 'sent'),
             count(*) filter (where after = 'failed') - count(*) filter (where before = 'failed'),
             count(*) filter (where after = 'skipped') - count(*) filter (where before = 'skipped')
        from n group by account_id, source_id
    )
    select account_id, source_id, id as message_id, entry_profile_id as profile_id, before, after from n
  `.execute(tx.db);
  // A message that was handed over and went holds its place already.
  const changed = rows.filter(({ before, after }) => after !== 'sent' || before !== 'queued');
  await settleReservations(
    tx,
    changed.map((entry) => ({ ...entry, isSent: entry.after === 'sent' })),
  );
  return rows;
}

type News = { accountId: number; messageId: number; sourceId: number; isSent: boolean; at: Date };

function newsOf(ledger: Ledger, event: DomainEvent): News[] {
  if (event.type !== 'message.sent' && event.type !== 'message.failed') return [];
  const { accountId, data, at, type } = event;
  const sourceId = ledger.sourceIdOf(data);
  return sourceId === null ? [] : [{ accountId, messageId: data.id, sourceId, isSent: type === 'message.sent', at }];
}
