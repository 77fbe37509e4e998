import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { lidPrefix } from '#server/connectors/messaging/port.ts';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';

/** When the number stopped marketing of this business in WhatsApp; null where it has not, or wants it again. */
export function stoppedMarketingAt(account: RawBuilder<number>, phone: RawBuilder<string>): RawBuilder<Date | null> {
  return sql`(select ms.said_at from marketing_stops ms
               where ms.account_id = ${account} and ms.phone_key = phone_key(${phone}) and ms.is_stopped limit 1)`;
}

/** Whether any number has stopped marketing, or had: asked once a statement. */
export const isAnyStoppedMarketing = (accountId: number): RawBuilder<boolean> =>
  sql`(select exists (select from marketing_stops where account_id = ${accountId}))`;

/** `phone`: digits, or `lid:` and the address of somebody whose number is not known. */
type Preference = { accountId: number; phone: string; isStopped: boolean; at: Date };

/** Keeps what a person said to WhatsApp of marketing; a word older than the last one changes nothing. */
export async function noteMarketingPreference(tx: Tx, { accountId, phone, isStopped, at }: Preference): Promise<void> {
  const { rows } = await sql`
    insert into marketing_stops as ms (account_id, phone_key, phone, is_stopped, said_at)
    values (${accountId}, phone_key(${phone}), ${phone}, ${isStopped}, ${at})
    on conflict (account_id, phone_key) do update
      set is_stopped = excluded.is_stopped, said_at = excluded.said_at, phone = excluded.phone
     where ms.said_at < excluded.said_at
    returning 1
  `.execute(tx.db);
  if (rows.length > 0) await publishLive(tx, accountId, { type: 'suppressions.changed' });
}

/** The number behind an address is known now: a stop that was said under the address holds for the number. */
export async function moveMarketingStop(
  tx: Tx,
  { accountId, lid, number }: { accountId: number; lid: string; number: string },
): Promise<void> {
  const { rows } = await sql<{ is_stopped: boolean; said_at: Date }>`
    delete from marketing_stops where account_id = ${accountId} and phone_key = ${`${lidPrefix}${lid}`}
    returning is_stopped, said_at
  `.execute(tx.db);
  for (const { is_stopped: isStopped, said_at: at } of rows)
    await noteMarketingPreference(tx, { accountId, phone: number, isStopped, at });
}

/** The person behind a number has another one: a stop that was said with the old one holds for the new one, too. */
export async function copyMarketingStop(
  tx: Tx,
  { accountId, number, person }: { accountId: number; number: string; person: string },
): Promise<void> {
  const { rows } = await sql<{ is_stopped: boolean; said_at: Date }>`
    select is_stopped, said_at from marketing_stops where account_id = ${accountId} and phone_key = phone_key(${number})
  `.execute(tx.db);
  for (const { is_stopped: isStopped, said_at: at } of rows)
    await noteMarketingPreference(tx, { accountId, phone: person, isStopped, at });
}
