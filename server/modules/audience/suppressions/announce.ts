import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { ContactOptOut, SuppressionSource } from '#contracts/suppressions.ts';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import type { SuppressionLogTable, SuppressionsTable } from './tables.ts';

export type SuppressionRow = Selectable<SuppressionsTable>;
export type LogRow = Selectable<SuppressionLogTable>;

type Changed = { accountId: number; by: SuppressionSource; rows: readonly SuppressionRow[] };

/** Has what waits for them withdrawn, and tells webhooks and open pages. */
export async function announceOptOuts(tx: Tx, { accountId, by, rows }: Changed): Promise<void> {
  const at = tx.clock.now();
  const phoneKeys = rows.map(({ phone_key }) => phone_key);
  await tx.onDomainEvents(tx, [{ type: 'contacts.opted_out', accountId, at, phoneKeys }]);
  await announceContacts(tx, { accountId, by, rows }, 'contact.opted_out');
}

export async function announceOptIns(tx: Tx, { accountId, by, rows }: Changed): Promise<void> {
  const at = tx.clock.now();
  const phoneKeys = rows.map(({ phone_key }) => phone_key);
  await tx.onDomainEvents(tx, [{ type: 'contacts.opted_in', accountId, at, phoneKeys }]);
  await announceContacts(tx, { accountId, by, rows }, 'contact.opted_in');
}

type ContactEvent = 'contact.opted_out' | 'contact.opted_in';

/** An opt-out belongs to the account: each of its projects tells its own server. A file's numbers are known there already. */
async function announceContacts(tx: Tx, { accountId, by, rows }: Changed, type: ContactEvent): Promise<void> {
  await publishLive(tx, accountId, { type: 'suppressions.changed' });
  if (by === 'import') return;
  const projects = await tx.db
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .orderBy('id')
    .execute();
  if (projects.length === 0) return;
  const at = tx.clock.now();
  const profileIds = await findProfileIds(tx, accountId, rows);
  const contacts = rows.map((row): ContactOptOut => {
    const profileId = profileIds.get(row.phone_key) ?? null;
    return { ...contactOf(row), profile_id: profileId, opted_out: type === 'contact.opted_out', at: at.toISOString() };
  });
  const events = projects.flatMap(({ id: projectId }) =>
    contacts.map((data) => ({ type, accountId, projectId, at, data })),
  );
  await tx.onDomainEvents(tx, events);
}

const contactOf = ({ phone, source, evidence, note }: SuppressionRow) => ({ phone, by: source, evidence, note });

async function findProfileIds(
  tx: Tx,
  accountId: number,
  rows: readonly SuppressionRow[],
): Promise<ReadonlyMap<string, number>> {
  const { rows: found } = await sql<{ phone_key: string; id: number }>`
    select phone_key(phone) as phone_key, id from profiles
     where account_id = ${accountId} and phone_key(phone) = any(${rows.map(({ phone_key }) => phone_key)}::text[])
       and not is_twin
  `.execute(tx.db);
  return new Map(found.map(({ phone_key, id }) => [phone_key, id]));
}
