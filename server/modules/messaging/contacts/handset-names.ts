import { sql } from 'kysely';
import { personOfPeer } from '#server/connectors/messaging/port.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { giveNames, phoneKey } from '#server/modules/audience/profiles/index.ts';

/** The people of one address book that are kept; a Business app has fewer. */
const mostPeople = 20_000;
const atOnce = 500;

/** An entry of the address book, as it was at a time; null: removed. */
export type HandsetName = { peer: Peer; name: string | null; at: Date };
type Phone = { accountId: number; projectId: number; phoneId: number };
type Named = { key: string; name: string | null; said_at: string };
type Taken = { key: string; name: string | null; given: string | null };

/**
 * Follows the address book of a number's handset: conversations of the number are named by it, and profiles that have no
 * name of their own. An entry that is older than what is known changes nothing. Nobody becomes a contact by it.
 */
export async function takeHandsetNames(ctx: Context, phone: Phone, names: readonly HandsetName[]): Promise<void> {
  const latest = new Map<string, Named>();
  for (const { peer, name, at } of names) {
    const key = phoneKey(personOfPeer(peer));
    const known = latest.get(key);
    if (!known || known.said_at <= at.toISOString()) latest.set(key, { key, name, said_at: at.toISOString() });
  }
  const all = [...latest.values()].toSorted((a, b) => (a.key < b.key ? -1 : 1));
  for (let start = 0; start < all.length; start += atOnce) {
    const slice = all.slice(start, start + atOnce);
    await inTransaction(ctx, (tx) => takeSlice(tx, phone, slice));
  }
}

async function takeSlice(tx: Tx, { accountId, projectId, phoneId }: Phone, slice: readonly Named[]): Promise<void> {
  const { rows: taken } = await sql<Taken & { before: string | null }>`
    with said as (
      select * from jsonb_to_recordset(${JSON.stringify(slice)}::jsonb) as x (key text, name text, said_at timestamptz)
    ), known as (
      select h.contact_key, h.name, h.given_name from handset_names h
        join said on h.contact_key = said.key
       where h.account_id = ${accountId} and h.phone_id = ${phoneId}
    ), room as (
      select ${mostPeople} - count(*) as places from handset_names
       where account_id = ${accountId} and phone_id = ${phoneId}
    ), kept as (
      select said.*, known.contact_key is not null as is_known,
             count(*) filter (where known.contact_key is null) over (order by said.key) as place
        from said left join known on known.contact_key = said.key
    ), stored as (
      insert into handset_names as h (account_id, phone_id, contact_key, name, said_at)
      select ${accountId}, ${phoneId}, key, name, said_at from kept, room where is_known or place <= places
       order by key
      on conflict (phone_id, contact_key) do update set name = excluded.name, said_at = excluded.said_at
       where h.said_at <= excluded.said_at
      returning h.contact_key, h.name, h.given_name
    )
    select s.contact_key as key, s.name, s.given_name as given, known.name as before
      from stored s left join known using (contact_key)
     order by s.contact_key
  `.execute(tx.db);
  const changed = taken.filter(({ name, before }) => name !== before);
  if (changed.length === 0) return;
  const people = changed.map(({ key, name }) => ({ key, name }));
  await tx.onDomainEvents(tx, [{ type: 'contacts.named', accountId, projectId, at: tx.clock.now(), phoneId, people }]);
  // Profiles are locked last: see docs/lock-order.md.
  const given = await giveNames(tx, accountId, changed);
  const named = changed.map(({ key, name }) => ({ key, given: given.has(key) ? name : null }));
  await sql`
    update handset_names h set given_name = x.given
      from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) as x (key text, given text)
     where h.account_id = ${accountId} and h.phone_id = ${phoneId} and h.contact_key = x.key
       and h.given_name is distinct from x.given
  `.execute(tx.db);
}

/** Forgets the names that handsets had of a person. */
export async function forgetHandsetNames(
  { db }: Context,
  { accountId, contactKeys }: { accountId: number; contactKeys: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('handset_names')
    .where('account_id', '=', accountId)
    .where('contact_key', 'in', contactKeys)
    .execute();
}
