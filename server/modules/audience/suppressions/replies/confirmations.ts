import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

/** However often a number opts out and in again, it is told of each once in this time: an answer may come from a program. */
const betweenConfirmationsMs = 24 * 60 * 60 * 1000;

type Confirmation = { accountId: number; phone: string; action: 'opted_out' | 'opted_in' };

/** Under the lock on the account's phones, as whoever confirms holds it. */
export async function wasConfirmed(tx: Tx, { accountId, phone, action }: Confirmation): Promise<boolean> {
  const since = new Date(tx.clock.now().getTime() - betweenConfirmationsMs);
  const { rows } = await sql`
    select 1 from opt_out_confirmations
     where account_id = ${accountId} and phone_key = phone_key(${phone}::text) and action = ${action} and at > ${since}
  `.execute(tx.db);
  return rows.length > 0;
}

export async function noteConfirmation(tx: Tx, { accountId, phone, action }: Confirmation): Promise<void> {
  await sql`
    insert into opt_out_confirmations (account_id, phone_key, action, at)
    values (${accountId}, phone_key(${phone}::text), ${action}, ${tx.clock.now()})
    on conflict (account_id, phone_key, action) do update set at = excluded.at
  `.execute(tx.db);
}
