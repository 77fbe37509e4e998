import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { lidOf } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { phoneKey } from '#server/modules/audience/profiles/index.ts';

type Changed = { account_id: number; project_id: number; id: number };
type Named = Extract<DomainEvent, { type: 'contacts.named' }>;
type Moved = Extract<DomainEvent, { type: 'contact.moved' }>;

/** A person's name in the address book of a phone's handset; null where there is none. */
export const handsetName = (phoneId: RawBuilder<unknown>, key: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql`(select h.name from handset_names h where h.phone_id = ${phoneId} and h.contact_key = ${key})`;

/** Conversations of a phone are called as its handset's address book has it. */
export async function nameConversations(tx: Tx, { accountId, projectId, phoneId, people }: Named): Promise<Changed[]> {
  const { rows } = await sql<Changed>`
    with named as (
      select c.id, x.name from conversations c
        join jsonb_to_recordset(${JSON.stringify(people)}::jsonb) as x (key text, name text) on c.contact_key = x.key
       where c.account_id = ${accountId} and c.project_id = ${projectId} and c.phone_id = ${phoneId}
         and c.contact_name is distinct from x.name
       order by c.id for no key update of c
    )
    update conversations c set contact_name = named.name from named
     where c.account_id = ${accountId} and c.id = named.id
    returning c.account_id, c.project_id, c.id
  `.execute(tx.db);
  return rows;
}

/** Notes in the conversation of the old number where the person is now, once however often it is told. */
export async function noteMove(tx: Tx, { accountId, projectId, number, person }: Moved): Promise<Changed[]> {
  const where = lidOf(person) === undefined ? `It is +${person} now.` : 'They do not show it.';
  const text = `WhatsApp says that this person has another number. ${where}`;
  const { rows } = await sql<Changed>`
    with old as (
      select c.account_id, c.project_id, c.id from conversations c
       where c.account_id = ${accountId} and c.project_id = ${projectId} and c.contact_key = ${phoneKey(number)}
         for no key update
    ), untold as materialized (
      select account_id, id from old
       where not exists (select from conversation_notes n
                          where n.account_id = ${accountId} and n.conversation_id = old.id and n.text = ${text})
    ), noted as (
      insert into conversation_notes (account_id, conversation_id, text, mentions, created_at)
      select account_id, id, ${text}, '{}', ${tx.clock.now()}::timestamptz from untold
      returning conversation_id
    )
    select old.* from old join noted on noted.conversation_id = old.id
  `.execute(tx.db);
  return rows;
}
