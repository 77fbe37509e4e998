import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';

/**
 * Holds up whoever accepts messages of the account until this transaction has committed: what is accepted before is
 * there to be withdrawn, and what comes after finds the number on the list. Phones come before messages in the order of
 * locks.
 */
export async function lockPhones(tx: Tx, accountId: number): Promise<void> {
  await sql`select id from phones where account_id = ${accountId} order by id for no key update`.execute(tx.db);
}
