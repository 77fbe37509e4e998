import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Ends the attribution of a person's answers, by the keys of their numbers; counts stay. */
export async function forgetLastWrites(
  { db }: Context,
  { accountId, phoneKeys }: { accountId: number; phoneKeys: readonly string[] },
): Promise<void> {
  await sql`
    delete from last_writes where account_id = ${accountId} and phone_key = any(${phoneKeys}::text[])
  `.execute(db);
}
