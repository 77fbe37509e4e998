import { sql } from 'kysely';
import { personOf } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { anyLength } from '#server/platform/db/any-length.ts';
import { allowanceDay } from './allowance-day.ts';
import { lockSender, saveHealth } from './change-health.ts';
import { forgetOffWhatsApp, noteOffWhatsApp } from './off-whatsapp.ts';
import { applySignal } from './signals.ts';

type MessageEvent = Extract<DomainEvent, { data: Message }>;

/** Carries what becomes of messages over to what their phones' pace and health are read from, in the same transaction. */
export async function followMessages(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const ofType = (...types: MessageEvent['type'][]) =>
    events.filter((event): event is MessageEvent => (types as string[]).includes(event.type));
  const received = ofType('message.received');
  if (received.length > 0) await noteWriters(tx, received);
  if (received.length > 0)
    await forgetOffWhatsApp(
      tx,
      numbersOf(received, ({ from }) => from),
    );
  const sent = ofType('message.sent');
  if (sent.length > 0) await noteSent(tx, sent);
  if (sent.length > 0)
    await forgetOffWhatsApp(
      tx,
      numbersOf(sent, ({ to }) => to),
    );
  const delivered = ofType('message.delivered', 'message.read');
  if (delivered.length > 0) await noteDelivered(tx, delivered);
  const failed = ofType('message.failed');
  if (failed.length > 0) await noteFailed(tx, failed);
  const missing = failed.filter(({ data }) => data.error_code === 'not_on_whatsapp');
  await noteOffWhatsApp(
    tx,
    numbersOf(missing, ({ to }) => to),
  );
}

const numbersOf = (events: readonly MessageEvent[], numberOf: (message: Message) => string | null) =>
  events.map(({ accountId, data }) => ({ accountId, phoneId: data.phone_id, number: numberOf(data) }));

const phoneIdsOf = (events: readonly MessageEvent[]) => events.map(({ data }) => data.phone_id);
const messageIdsOf = (events: readonly MessageEvent[]) => events.map(({ data }) => data.id);

/**
 * A sender is known from then on, whatever was refused before, and their message answers what was sent to them, unless
 * it opts out: that counts against the last message they got.
 */
async function noteWriters(tx: Tx, events: readonly MessageEvent[]): Promise<void> {
  const accountIds = events.map(({ accountId }) => accountId);
  const people = events.map(({ data }) => personOf(data));
  const optsOut = events.map(({ reply }) => reply === 'opt_out');
  await sql`
    /* prepared: note-writers, unread */
    with wrote as (
      select account_id, phone_id, phone_key(sender) as phone_key, bool_or(opts_out) as opts_out,
             bool_or(not opts_out) as answers
        from unnest(${anyLength(accountIds, 'bigint')}, ${anyLength(phoneIdsOf(events), 'bigint')},
                    ${anyLength(people, 'text')}, ${anyLength(optsOut, 'boolean')})
               as x (account_id, phone_id, sender, opts_out)
       where sender is not null and phone_id is not null
       group by account_id, phone_id, phone_key(sender)
       order by phone_id, phone_key(sender)
    ), latest as (
      select l.phone_id, l.message_id
        from wrote cross join lateral (
          select s.phone_id, s.message_id, s.opted_out_at from phone_sends s
           where s.phone_id = wrote.phone_id and s.phone_key = wrote.phone_key
           order by s.at desc limit 1) l
       where wrote.opts_out and l.opted_out_at is null
    ), opted_out as (
      update phone_sends s set opted_out_at = ${tx.clock.now()}
        from latest where s.phone_id = latest.phone_id and s.message_id = latest.message_id
         and not exists (select from wrote where wrote.phone_id = s.phone_id and wrote.phone_key = s.phone_key and wrote.answers)
    ), answered as (
      update phone_sends s set answered_at = ${tx.clock.now()}
        from wrote
       where s.phone_id = wrote.phone_id and s.phone_key = wrote.phone_key and s.answered_at is null and wrote.answers
    )
    insert into phone_contacts (account_id, phone_id, phone_key, wrote_at)
    select account_id, phone_id, phone_key, ${tx.clock.now()} from wrote
    on conflict (phone_id, phone_key) do update set wrote_at = excluded.wrote_at, refused_at = null
  `.execute(tx.db);
}

/**
 * Counts messages that went out without a paced claim, from a program or the handset, as well. Whom the network takes a
 * message to need not write first any more.
 */
async function noteSent(tx: Tx, events: readonly MessageEvent[]): Promise<void> {
  await sql`
    /* prepared: note-sent, unread */
    with x as (
      select * from unnest(${phoneIdsOf(events)}::bigint[], ${messageIdsOf(events)}::bigint[],
                           ${events.map(({ data }) => personOf(data))}::text[]) as sent (phone_id, message_id, recipient)
    ), taken as (
      update phone_contacts c set refused_at = null
        from x
       where c.phone_id = x.phone_id and c.phone_key = phone_key(x.recipient) and c.refused_at is not null
    )
    insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, accepted_at)
    select h.account_id, h.phone_id, x.message_id, phone_key(x.recipient),
           case when c.wrote_at is null then 'first' else 'known' end, ${tx.clock.now()}, ${tx.clock.now()}
      from x
      join phone_health h on h.phone_id = x.phone_id
      left join phone_contacts c on c.phone_id = x.phone_id and c.phone_key = phone_key(x.recipient)
     where x.recipient is not null
     order by h.phone_id, x.message_id
    on conflict (phone_id, message_id) do update set accepted_at = excluded.accepted_at
  `.execute(tx.db);
}

async function noteDelivered(tx: Tx, events: readonly MessageEvent[]): Promise<void> {
  const { rows: canaries } = await sql<{ account_id: number; project_id: number; phone_id: number; timezone: string }>`
    /* prepared: note-delivered */
    with delivered as (
      update phone_sends s set delivered_at = coalesce(s.delivered_at, ${tx.clock.now()})
        from unnest(${phoneIdsOf(events)}::bigint[], ${messageIdsOf(events)}::bigint[]) as x (phone_id, message_id)
       where s.phone_id = x.phone_id and s.message_id = x.message_id
      returning s.phone_id, s.at
    )
    select distinct h.account_id, p.project_id, h.phone_id, a.timezone
      from delivered d
      join phone_health h on h.phone_id = d.phone_id and h.canary_sent_at <= d.at
      join phones p on p.account_id = h.account_id and p.id = h.phone_id
      join accounts a on a.id = h.account_id
     order by h.phone_id
  `.execute(tx.db);
  for (const row of canaries) {
    const phone = {
      accountId: row.account_id,
      projectId: row.project_id,
      phoneId: row.phone_id,
      timeZone: row.timezone,
    };
    const sender = await lockSender(tx, phone);
    if (!sender) continue;
    const now = tx.clock.now();
    const day = allowanceDay(now, phone.timeZone);
    await saveHealth(tx, phone, sender, applySignal(sender.health, { kind: 'canary_delivered' }, now, day));
  }
}

/** A message that never reached the network is not counted; the gap after it stays, as its number was looked up. */
async function noteFailed(tx: Tx, events: readonly MessageEvent[]): Promise<void> {
  const unsent = events.filter(
    ({ data }) => data.error_code !== 'network_refused' && data.error_code !== 'delivery_unknown',
  );
  if (unsent.length === 0) return;
  await sql`
    /* prepared: note-failed, unread */
    update phone_sends s set is_counted = false
      from unnest(${phoneIdsOf(unsent)}::bigint[], ${messageIdsOf(unsent)}::bigint[]) as x (phone_id, message_id)
     where s.phone_id = x.phone_id and s.message_id = x.message_id and s.accepted_at is null
  `.execute(tx.db);
}
