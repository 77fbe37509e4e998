import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Forgets a person of whom phones keep something, by the keys of their numbers. Counts of sends stay. */
export async function forgetContact(
  { db }: Context,
  { accountId, phoneKeys, numbers }: { accountId: number; phoneKeys: readonly string[]; numbers: readonly string[] },
): Promise<void> {
  for (const table of ['phone_contacts', 'numbers_off_whatsapp'] as const) {
    await sql`
      delete from ${sql.table(table)} where account_id = ${accountId} and phone_key = any(${phoneKeys}::text[])
    `.execute(db);
  }
  await sql`
    update phone_sends set phone_key = '' where account_id = ${accountId} and phone_key = any(${phoneKeys}::text[])
  `.execute(db);
  await sql`
    update phone_signals set number = null where account_id = ${accountId} and number = any(${numbers}::text[])
  `.execute(db);
}
