import { sql } from 'kysely';
import type { ContactChange } from '#contracts/contacts.ts';
import { isChange } from '#contracts/message-content.ts';
import { personOf } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { lidOf } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { notifyLive, publishAllLive } from '#server/modules/identity/live/index.ts';
import { findProfileOfNumber, phoneKey } from '#server/modules/audience/profiles/index.ts';
import { hintsAtOptOut } from '#server/modules/audience/suppressions/index.ts';
import { handsetName, nameConversations, noteMove } from './follow-people.ts';
import { takeOverChat } from './take-over-chat.ts';
import { columnsOf } from '#server/platform/db/any-length.ts';

type MessageEvent = Extract<DomainEvent, { data: Message }>;
type Learnt = Extract<DomainEvent, { type: 'contact.number_learnt' }>;
type Changed = { account_id: number; project_id: number; id: number };

/**
 * Keeps conversations as messages come and go, in the transaction in which they do: unread counts are exact whatever
 * breaks. A program's message begins a conversation that is done until the person writes; messages of campaigns and
 * flows move none.
 */
export async function followConversations(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  const changed: Changed[] = [];
  for (const event of events) {
    if (event.type === 'contact.number_learnt') changed.push(...(await joinConversations(tx, event)));
    if (event.type === 'contact.moved') changed.push(...(await noteMove(tx, event)));
    if (event.type === 'contacts.named') changed.push(...(await nameConversations(tx, event)));
    if (event.type === 'chat.taken_over') changed.push(...(await takeOverChat(tx, event)));
    if (isEditOfPerson(event)) changed.push(...(await markAgain(tx, event)));
  }
  for (const run of runsOf(events)) changed.push(...(await carryOn(tx, run)));
  const sent = events.filter(
    (event): event is MessageEvent =>
      event.type === 'message.sent' && event.data.source === 'api' && !isChange(event.data.type),
  );
  if (sent.length > 0) await moveUp(tx, sent);
  await publishAllLive(
    tx,
    changed.map(({ account_id: accountId, project_id, id }) => ({
      accountId,
      event: { type: 'conversations.changed', project_id, conversation_id: id },
    })),
  );
}

const isFromPerson = (event: DomainEvent): event is MessageEvent =>
  event.type === 'message.received' || event.type === 'call.received';

const isEditOfPerson = (event: DomainEvent): event is MessageEvent =>
  event.type === 'message.edited' && event.data.direction === 'incoming';

const isFromHandset = (event: DomainEvent): event is MessageEvent =>
  event.type === 'message.sent' && event.data.source === 'handset';

/** Messages of people, and of owners on the handset: as many together as come one after the other from one side. */
function runsOf(events: readonly DomainEvent[]): MessageEvent[][] {
  const runs: MessageEvent[][] = [];
  for (const event of events) {
    if (!isFromPerson(event) && !isFromHandset(event)) continue;
    const last = runs.at(-1);
    if (last?.[0]?.data.direction === event.data.direction) last.push(event);
    else runs.push([event]);
  }
  return runs;
}

type Written = {
  accountId: number;
  projectId: number;
  key: string;
  phone: string | null;
  lid: string | null;
  name: string | null;
  phoneId: number | null;
  count: number;
  hint: boolean | null;
  firstAt: string;
  lastId: number;
  lastAt: string;
};

/** The messages of each conversation, taken together. */
function writtenIn(events: readonly MessageEvent[]): Written[] {
  const written = new Map<string, Written>();
  for (const { accountId, projectId, data, senderName, reply } of events) {
    const person = personOf(data);
    if (person === null) continue;
    const isIncoming = data.direction === 'incoming';
    const key = phoneKey(person);
    const before = written.get(`${projectId} ${key}`);
    written.set(`${projectId} ${key}`, {
      accountId,
      projectId,
      key,
      phone: (isIncoming ? data.from : data.to) ?? before?.phone ?? null,
      lid: data.from_lid ?? before?.lid ?? null,
      name: senderName ?? before?.name ?? null,
      phoneId: data.phone_id,
      count: (before?.count ?? 0) + (isIncoming ? 1 : 0),
      hint: (isIncoming ? hintOf(reply, data.message) : null) ?? before?.hint ?? null,
      firstAt: before?.firstAt ?? data.created_at,
      lastId: Math.max(data.id, before?.lastId ?? 0),
      lastAt: before && before.lastAt > data.created_at ? before.lastAt : data.created_at,
    });
  }
  return [...written.values()];
}

/**
 * Messages from outside are unread and open their conversations; those that the owner wrote on the handset have read the
 * rest. Conversations are locked in the order of `moveUp`.
 */
async function carryOn(tx: Tx, run: readonly MessageEvent[]): Promise<Changed[]> {
  const isIncoming = run[0]?.data.direction === 'incoming';
  const written = writtenIn(run);
  if (written.length === 0) return [];
  const column = columnsOf(written);
  await hold(tx, written);
  const { rows } = await sql<Changed & { place: number; name_before: string | null; name_after: string | null }>`
    /* prepared: carry-on-conversations */
    with wrote as (
      select x.*, coalesce(${handsetName(sql`x.phone_id`, sql`x.contact_key`)}, x.name) as shown_name
        from unnest(${column('accountId', 'bigint')}, ${column('projectId', 'bigint')}, ${column('key', 'text')},
                    ${column('phone', 'text')}, ${column('name', 'text')}, ${column('phoneId', 'bigint')},
                    ${column('count', 'int')}, ${column('hint', 'boolean')}, ${column('firstAt', 'timestamptz')},
                    ${column('lastId', 'bigint')}, ${column('lastAt', 'timestamptz')})
               with ordinality as x (account_id, project_id, contact_key, phone, name, phone_id, count, hint, first_at,
                                     last_id, last_at, place)
    ), known as materialized (
      select c.id, c.contact_name as name_before, wrote.* from conversations c
        join wrote using (account_id, project_id, contact_key)
    ), moved as (
      update conversations c
         set phone = coalesce(k.phone, c.phone), phone_id = k.phone_id,
             contact_name = coalesce(k.shown_name, c.contact_name),
             status = case when ${isIncoming} then 'open' else c.status end,
             unread_count = case when ${isIncoming} then c.unread_count + k.count else 0 end,
             may_want_to_opt_out = coalesce(k.hint, c.may_want_to_opt_out),
             last_message_id = greatest(c.last_message_id, k.last_id),
             last_message_at = greatest(c.last_message_at, k.last_at)
        from known k
       where c.account_id = k.account_id and c.id = k.id
      returning c.account_id, c.project_id, c.id, k.place, k.first_at, k.last_at, k.name_before,
                c.contact_name as name_after
    ), started as (
      insert into conversations as c (account_id, project_id, contact_key, phone, contact_name, phone_id, unread_count,
                                      may_want_to_opt_out, last_message_id, last_message_at)
      select account_id, project_id, contact_key, phone, shown_name, phone_id, count, coalesce(hint, false), last_id,
             last_at
        from wrote
       where (project_id, contact_key) not in (select project_id, contact_key from known)
       order by account_id, project_id, contact_key
      on conflict (account_id, project_id, contact_key) do update
        set phone = coalesce(excluded.phone, c.phone), phone_id = excluded.phone_id,
            contact_name = coalesce(excluded.contact_name, c.contact_name),
            status = case when ${isIncoming} then 'open' else c.status end,
            unread_count = case when ${isIncoming} then c.unread_count + excluded.unread_count else 0 end,
            may_want_to_opt_out = excluded.may_want_to_opt_out or c.may_want_to_opt_out,
            last_message_id = greatest(c.last_message_id, excluded.last_message_id),
            last_message_at = greatest(c.last_message_at, excluded.last_message_at)
      returning c.account_id, c.project_id, c.id, c.contact_key, c.contact_name
    ), carried as (
      select * from moved
      union all
      select s.account_id, s.project_id, s.id, w.place, w.first_at, w.last_at, null, s.contact_name
        from started s join wrote w using (account_id, project_id, contact_key)
    ), begun as (
      insert into conversation_episodes (account_id, project_id, conversation_id, opened_at)
      select account_id, project_id, id, first_at from carried where ${isIncoming}
       order by account_id, id
      on conflict (account_id, conversation_id) where done_at is null do nothing
    ), answered as (
      update conversation_episodes e set answered_at = greatest(e.opened_at, carried.first_at)
        from carried
       where not ${isIncoming} and e.account_id = carried.account_id and e.conversation_id = carried.id
         and e.done_at is null and e.answered_at is null
    )
    select account_id, project_id, id, place::int as place, name_before, name_after from carried order by place
  `.execute(tx.db);
  for (const { place, name_before: before, name_after: name } of rows) {
    const person = written[place - 1];
    if (person === undefined || before === null || name === null || before === name) continue;
    const { accountId, projectId, phone, lid } = person;
    await tellContactChange(tx, { accountId, projectId, phone, lid, name, changed: ['name'] });
  }
  return rows;
}

/** Holds conversations in the order that all share, so that of two transactions one waits for the other. */
async function hold(tx: Tx, people: readonly { accountId: number; projectId: number; key: string }[]): Promise<void> {
  const column = columnsOf(people);
  await sql`
    /* prepared: hold-conversations, unread */
    select c.id
      from unnest(${column('accountId', 'bigint')}, ${column('projectId', 'bigint')}, ${column('key', 'text')})
             as given (account_id, project_id, contact_key)
      join conversations c using (account_id, project_id, contact_key)
     order by c.account_id, c.id
       for no key update of c
  `.execute(tx.db);
}

/** New wording may ask to be left alone, as a new message may; it moves no conversation and is not unread again. */
async function markAgain(tx: Tx, { accountId, projectId, data, reply }: MessageEvent): Promise<Changed[]> {
  const hint = hintOf(reply, data.message);
  if (hint === null) return [];
  const key = phoneKey(personOf(data) ?? '');
  return tx.db
    .updateTable('conversations')
    .set({ may_want_to_opt_out: hint })
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .where('contact_key', '=', key)
    .where('may_want_to_opt_out', '!=', hint)
    .returning(['account_id', 'project_id', 'id'])
    .execute();
}

/** The mark that a message leaves on its conversation; null leaves it as it is. */
function hintOf(reply: MessageEvent['reply'], text: string | null): boolean | null {
  if (reply !== undefined) return false;
  return text !== null && hintsAtOptOut(text) ? true : null;
}

/**
 * Moves up the conversations of what programs sent, begins those that are not there, and has open pages told: nothing
 * to be read, so it goes with the next statement. Existing conversations are locked in the order of ids. New
 * conversations are inserted in the order of the contacts; where another transaction has begun one meanwhile, that one
 * is moved up.
 */
async function moveUp(tx: Tx, events: readonly MessageEvent[]): Promise<void> {
  const sent = events.map((event) => ({ ...event, key: phoneKey(personOf(event.data) ?? '') }));
  const column = columnsOf(sent);
  await hold(tx, sent);
  await sql`
    /* prepared: move-named-conversations-up, unread */
    with sent as (
      select distinct on (account_id, project_id, contact_key) *
        from unnest(${column('accountId', 'bigint')}, ${column('projectId', 'bigint')}, ${column('key', 'text')},
                    ${column(({ data }) => data.to, 'text')}, ${column(({ data }) => data.phone_id, 'bigint')},
                    ${column(({ data }) => data.id, 'bigint')}, ${column(({ data }) => data.created_at, 'timestamptz')})
               as given (account_id, project_id, contact_key, phone, phone_id, message_id, at)
       order by account_id, project_id, contact_key, message_id desc
    ), known as materialized (
      select c.id, c.last_message_id, sent.* from conversations c
        join sent using (account_id, project_id, contact_key)
    ), moved as (
      update conversations c set last_message_id = known.message_id, last_message_at = known.at
        from known
       where c.account_id = known.account_id and c.id = known.id and known.last_message_id < known.message_id
      returning c.account_id, c.project_id, c.id
    ), fresh as materialized (
      select sent.*, ${handsetName(sql`sent.phone_id`, sql`sent.contact_key`)} as contact_name
        from sent
       where (project_id, contact_key) not in (select project_id, contact_key from known)
    ), begun as (
      insert into conversations as c (account_id, project_id, contact_key, phone, contact_name, phone_id, status,
                                      last_message_id, last_message_at)
      select account_id, project_id, contact_key, phone, contact_name, phone_id, 'done', message_id, at
        from fresh
       order by account_id, project_id, contact_key
      on conflict (account_id, project_id, contact_key) do update
        set last_message_id = excluded.last_message_id, last_message_at = excluded.last_message_at
      where c.last_message_id < excluded.last_message_id
      returning c.account_id, c.project_id, c.id
    )
    select ${notifyLive(sql`account_id`, {
      type: 'conversations.changed',
      project_id: sql`project_id`,
      conversation_id: sql`id`,
    })} from (select * from moved union all select * from begun) as changed
  `.execute(tx.db);
}

type ContactNews = Pick<ContactChange, 'phone' | 'lid' | 'name' | 'changed'> & { accountId: number; projectId: number };

/** Tells webhooks that a person is shown otherwise now. */
async function tellContactChange(tx: Tx, { accountId, projectId, ...news }: ContactNews): Promise<void> {
  const at = tx.clock.now();
  const profileId = await findProfileOfNumber(tx, accountId, news.phone ?? '');
  const data = { ...news, profile_id: profileId, at: at.toISOString() };
  await tx.onDomainEvents(tx, [{ type: 'contact.changed', accountId, projectId, at, data }]);
}

/** The number behind an address is known now: its conversation is the number's, or becomes part of it. */
async function joinConversations(tx: Tx, { accountId, projectId, number, lid }: Learnt): Promise<Changed[]> {
  const own = sql`account_id = ${accountId} and project_id = ${projectId}`;
  const isNumber = lidOf(number) === undefined;
  const { rows } = await sql<Changed & { contact_name: string | null }>`
    with hidden as (
      select * from conversations where ${own} and contact_key = ${`lid:${lid}`} for update
    ), known as (
      select id from conversations where ${own} and contact_key = ${phoneKey(number)} and exists (select from hidden) for update
    ), joined as (
      update conversations c
         set unread_count = c.unread_count + hidden.unread_count,
             status = case when 'open' in (c.status, hidden.status) then 'open' else 'done' end,
             may_want_to_opt_out = c.may_want_to_opt_out or hidden.may_want_to_opt_out,
             assigned_to = coalesce(c.assigned_to, hidden.assigned_to),
             assigned_at = case when c.assigned_to is null then hidden.assigned_at else c.assigned_at end,
             label_ids = array(select distinct unnest(c.label_ids || hidden.label_ids)),
             last_message_id = greatest(c.last_message_id, hidden.last_message_id),
             last_message_at = greatest(c.last_message_at, hidden.last_message_at)
        from hidden, known
       where c.account_id = ${accountId} and c.id = known.id
      returning c.account_id, c.project_id, c.id, c.contact_name
    ), moved_notes as (
      update conversation_notes n set conversation_id = known.id from hidden, known
       where n.account_id = ${accountId} and n.conversation_id = hidden.id
    ), moved_episodes as (
      update conversation_episodes e set conversation_id = known.id from hidden, known
       where e.account_id = ${accountId} and e.conversation_id = hidden.id
         and (e.done_at is not null or not exists (
               select from conversation_episodes o
                where o.account_id = ${accountId} and o.conversation_id = known.id and o.done_at is null))
    ), doubled_episodes as (
      delete from conversation_episodes e using hidden, known
       where e.account_id = ${accountId} and e.conversation_id = hidden.id and e.done_at is null and exists (
               select from conversation_episodes o
                where o.account_id = ${accountId} and o.conversation_id = known.id and o.done_at is null)
    ), gone as (
      delete from conversations c using hidden, known where c.account_id = ${accountId} and c.id = hidden.id
    ), renamed as (
      update conversations c set contact_key = ${phoneKey(number)}, phone = ${isNumber ? number : null}
        from hidden
       where c.account_id = ${accountId} and c.id = hidden.id and not exists (select from known)
      returning c.account_id, c.project_id, c.id, c.contact_name
    )
    select * from joined union all select * from renamed
  `.execute(tx.db);
  const name = rows[0]?.contact_name ?? null;
  const address = isNumber ? { phone: number, lid } : { phone: null, lid: lidOf(number) ?? lid };
  if (isNumber || rows.length > 0)
    await tellContactChange(tx, { accountId, projectId, ...address, name, changed: ['number'] });
  return rows;
}
