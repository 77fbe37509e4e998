import { sql } from 'kysely';
import type { ContactChange } from '#contracts/contacts.ts';
import { isChange } from '#contracts/message-content.ts';
import { personOf } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { lidOf } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { notifyLive, publishAllLive } from '#server/modules/identity/live/index.ts';
import { phoneKey, profilesOfNumbers } from '#server/modules/audience/profiles/index.ts';
import { hintsAtOptOut } from '#server/modules/audience/suppressions/index.ts';
import { handsetName, nameConversations, noteMove } from './follow-people.ts';
import { takeOverChat } from './take-over-chat.ts';
import { anyLength } from '#server/platform/db/any-length.ts';

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
    if (isFromPerson(event) || isFromHandset(event)) changed.push(...(await carryOn(tx, event)));
  }
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

/** A message from outside is unread and opens its conversation; one that the owner wrote on the handset has read the rest. */
async function carryOn(tx: Tx, { accountId, projectId, data, ...event }: MessageEvent): Promise<Changed[]> {
  const isIncoming = data.direction === 'incoming';
  const phone = isIncoming ? data.from : data.to;
  const person = personOf(data);
  if (person === null) return [];
  const key = phoneKey(person);
  const hint = isIncoming ? hintOf(event.reply, data.message) : null;
  const { rows } = await sql<Changed & { name_before: string | null; name_after: string | null }>`
    /* prepared: carry-on-named-conversation-and-episode */
    with before as (
      select contact_name from conversations
       where account_id = ${accountId} and project_id = ${projectId} and contact_key = ${key}
    ), carried as (
    insert into conversations as c (account_id, project_id, contact_key, phone, contact_name, phone_id, unread_count,
                                    may_want_to_opt_out, last_message_id, last_message_at)
    values (${accountId}, ${projectId}, ${key}, ${phone},
            coalesce(${handsetName(sql`${data.phone_id}::bigint`, sql`${key}`)}, ${event.senderName ?? null}), ${data.phone_id},
            ${isIncoming ? 1 : 0}, ${hint === true}, ${data.id}, ${data.created_at})
    on conflict (account_id, project_id, contact_key) do update
      set phone = coalesce(excluded.phone, c.phone), phone_id = excluded.phone_id,
          contact_name = coalesce(excluded.contact_name, c.contact_name),
          status = case when ${isIncoming} then 'open' else c.status end,
          unread_count = case when ${isIncoming} then c.unread_count + 1 else 0 end,
          may_want_to_opt_out = coalesce(${hint}::boolean, c.may_want_to_opt_out),
          last_message_id = greatest(c.last_message_id, excluded.last_message_id),
          last_message_at = greatest(c.last_message_at, excluded.last_message_at)
    returning c.account_id, c.project_id, c.id, (select contact_name from before) as name_before,
              c.contact_name as name_after
    ), begun as (
      insert into conversation_episodes (account_id, project_id, conversation_id, opened_at)
      select account_id, project_id, id, ${data.created_at}::timestamptz from carried where ${isIncoming}
      on conflict (account_id, conversation_id) where done_at is null do nothing
    ), answered as (
      update conversation_episodes e set answered_at = greatest(e.opened_at, ${data.created_at}::timestamptz)
        from carried
       where not ${isIncoming} and e.account_id = carried.account_id and e.conversation_id = carried.id
         and e.done_at is null and e.answered_at is null
    )
    select * from carried
  `.execute(tx.db);
  const before = rows[0]?.name_before ?? null;
  const name = rows[0]?.name_after ?? null;
  if (before !== null && name !== null && before !== name)
    await tellContactChange(tx, { accountId, projectId, phone, lid: data.from_lid, name, changed: ['name'] });
  return rows;
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
  const accountIds = events.map(({ accountId }) => accountId);
  await sql`
    /* prepared: move-named-conversations-up, unread */
    with sent as (
      select distinct on (account_id, project_id, contact_key) *
        from unnest(${anyLength(accountIds, 'bigint')}, ${events.map(({ projectId }) => projectId)}::bigint[],
                    ${events.map(({ data }) => phoneKey(personOf(data) ?? ''))}::text[],
                    ${events.map(({ data }) => data.to)}::text[],
                    ${events.map(({ data }) => data.phone_id)}::bigint[],
                    ${events.map(({ data }) => data.id)}::bigint[],
                    ${events.map(({ data }) => data.created_at)}::timestamptz[])
               as given (account_id, project_id, contact_key, phone, phone_id, message_id, at)
       order by account_id, project_id, contact_key, message_id desc
    ), known as (
      select c.id, c.last_message_id, sent.* from conversations c
        join sent using (account_id, project_id, contact_key)
       order by c.account_id, c.id
         for no key update of c
    ), moved as (
      update conversations c set last_message_id = known.message_id, last_message_at = known.at
        from known
       where c.account_id = known.account_id and c.id = known.id and known.last_message_id < known.message_id
      returning c.account_id, c.project_id, c.id
    ), begun as (
      insert into conversations as c (account_id, project_id, contact_key, phone, contact_name, phone_id, status,
                                      last_message_id, last_message_at)
      select account_id, project_id, contact_key, phone, ${handsetName(sql`sent.phone_id`, sql`sent.contact_key`)},
             phone_id, 'done', message_id, at
        from sent
       where (project_id, contact_key) not in (select project_id, contact_key from known)
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
  const { rows } = await sql<{ profile_id: number | null }>`
    select profile_id from ${profilesOfNumbers(accountId, [news.phone ?? ''])} as profile
  `.execute(tx.db);
  const data = { ...news, profile_id: rows[0]?.profile_id ?? null, at: at.toISOString() };
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
