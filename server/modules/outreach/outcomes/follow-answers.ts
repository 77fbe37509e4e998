import { sql } from 'kysely';
import type { Message } from '#contracts/messages.ts';
import type { Context, Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import { changesOf } from '#server/modules/audience/membership/index.ts';
import { isUnsent } from '#server/unsent.ts';

type Received = Extract<DomainEvent, { data: Message }> & { data: { from: string; phone_id: number } };

/** How long an answer counts for what wrote last, and how far the network's clock may be behind. */
export const answersCountMs = 7 * 86_400_000;
const clockSkewMs = 60_000;

const isReceived = (event: DomainEvent): event is Received =>
  event.type === 'message.received' && event.data.from !== null && event.data.phone_id !== null;

/**
 * An incoming message answers the sources that wrote to its sender last: counted once for each. Opting out is no
 * answer, and after something that was not sent to many, nothing is an answer to what was.
 */
export async function followAnswers(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const received = events.filter(isReceived);
  if (received.length === 0) return;
  await noteUnderWay(tx, received);
  const answers = received.filter(({ reply }) => reply !== 'opt_out');
  if (answers.length === 0) return;
  await count(tx, {
    column: 'replied',
    accountIds: answers.map(({ accountId }) => accountId),
    numbers: answers.map(({ data }) => data.from),
    times: answers.map(({ at, data }) => (data.sent_at === null ? at : new Date(data.sent_at))),
  });
}

/** The same for who says that they want no more. */
export async function followOptOuts(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const said = events.flatMap((event) =>
    event.type === 'contact.replied' && event.reply === 'opt_out' ? [event] : [],
  );
  if (said.length === 0) return;
  await count(tx, {
    column: 'opted_out',
    accountIds: said.map(({ accountId }) => accountId),
    numbers: said.map(({ person }) => person),
    times: said.map(({ receivedAt }) => receivedAt),
  });
}

/** An answer may be here before the network has said that it took what is answered. */
async function noteUnderWay(tx: Tx, received: readonly Received[]): Promise<void> {
  const accountIds = received.map(({ accountId }) => accountId);
  const phoneIds = received.map(({ data }) => data.phone_id);
  const numbers = received.map(({ data }) => data.from);
  await sql`
    /* prepared: note-under-way, unread */
    with under_way as materialized (
      select distinct on (m.account_id, phone_key(m.recipient)) m.account_id, phone_key(m.recipient) as phone_key,
             case when m.campaign_id is not null then 'campaign' when m.flow_id is not null then 'flow' else 'bulk_run' end as source,
             coalesce(m.campaign_id, m.flow_id, m.bulk_run_id) as source_id, m.id
        from unnest(${anyLength(accountIds, 'bigint')}, ${anyLength(phoneIds, 'bigint')},
                    ${anyLength(numbers, 'text')}) as x (account_id, phone_id, sender)
        join messages m on m.phone_id = x.phone_id and m.status = 'sending' and m.account_id = x.account_id
                       and ${isUnsent('m')}
                       and phone_key(m.recipient) = phone_key(x.sender)
                       and coalesce(m.campaign_id, m.flow_id, m.bulk_run_id) is not null
       order by m.account_id, phone_key(m.recipient), m.id desc
    )
    insert into last_writes as w (account_id, phone_key, source, source_id, message_id, written_at)
    select account_id, phone_key, source, source_id, id, ${tx.clock.now()}::timestamptz
      from under_way order by account_id, phone_key
    on conflict (account_id, phone_key) do update
       set source = excluded.source, source_id = excluded.source_id, message_id = excluded.message_id,
           written_at = excluded.written_at, replied_at = null, opted_out_at = null, superseded_at = null
     where w.message_id <> excluded.message_id
  `.execute(tx.db);
}

type Counted = {
  column: 'replied' | 'opted_out';
  accountIds: readonly number[];
  numbers: readonly string[];
  times: readonly Date[];
};

async function count(tx: Tx, { column, accountIds, numbers, times }: Counted): Promise<void> {
  const notedAt = sql.ref(`${column}_at`);
  const kept =
    column === 'replied'
      ? sql`insert into message_answers (account_id, message_id, source, source_id, answered_at)`
      : sql`insert into message_opt_outs (account_id, message_id, source, source_id, opted_out_at)`;
  const [accounts, given] = [anyLength(accountIds, 'bigint'), anyLength(numbers, 'text')];
  // In the order of the numbers, as whoever writes several of them does.
  await sql`
    /* prepared: hold-last-writes, unread */
    select w.phone_key from last_writes w
      join unnest(${accounts}, ${given}) as x (account_id, number) on w.account_id = x.account_id and w.phone_key = phone_key(x.number)
     order by w.account_id, w.phone_key for update of w
  `.execute(tx.db);
  const isInTime = column === 'replied' ? sql`(w.superseded_at is null or said.at < w.superseded_at)` : sql`true`;
  await sql`
    ${sql.raw(`/* prepared: count-${column}, unread */`)}
    with said as (
      select account_id, phone_key(number) as phone_key, min(at) as at
        from unnest(${accounts}, ${given}, ${anyLength(times, 'timestamptz')})
             as x (account_id, number, at)
       group by account_id, phone_key(number)
    ), answering as materialized (
      select w.account_id, w.phone_key, said.at from last_writes w join said using (account_id, phone_key)
       where w.${notedAt} is null and ${isInTime}
         and said.at between w.written_at - ${clockSkewMs} * interval '1 millisecond'
                         and w.written_at + ${answersCountMs} * interval '1 millisecond'
    ), answered as (
      update last_writes w set ${notedAt} = a.at
        from answering a where w.account_id = a.account_id and w.phone_key = a.phone_key and w.${notedAt} is null
      returning w.account_id, w.source, w.source_id, w.message_id, w.${notedAt}
    ), kept as (
      ${kept} select account_id, message_id, source, source_id, ${notedAt} from answered
      on conflict do nothing
    ), engaged as (
      update engagements g
         set ${sql.ref(`${column}_at`)} = a.at, changed_at = ${tx.clock.now()}::timestamptz
        from (select account_id, message_id, ${notedAt} as at from answered) as a
       where g.account_id = a.account_id and g.message_id = a.message_id and g.${notedAt} is null
      returning g.account_id, g.profile_id
    ), changed as (
      ${changesOf(sql`select account_id, profile_id from engaged`)}
    )
    insert into outcome_tallies (account_id, source, source_id, hour, minute, ${sql.ref(column)})
    select account_id, source, source_id, date_trunc('hour', ${tx.clock.now()}::timestamptz),
           date_trunc('minute', ${tx.clock.now()}::timestamptz), count(*)
      from answered group by account_id, source, source_id
  `.execute(tx.db);
}

/** Ends the attribution of a person's answers, by the keys of their numbers; counts stay. */
export async function forgetLastWrites(
  { db }: Context,
  { accountId, phoneKeys }: { accountId: number; phoneKeys: readonly string[] },
): Promise<void> {
  await sql`
    delete from last_writes where account_id = ${accountId} and phone_key = any(${phoneKeys}::text[])
  `.execute(db);
}
