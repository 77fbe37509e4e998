import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Forgets a person of whom phones keep something, by the keys of their numbers. Counts of sends stay. */
export async function forgetContact(
  { db }: Context,
  { accountId, phoneKeys, numbers }: { accountId: number; phoneKeys: readonly string[]; numbers: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('phone_contacts')
    .where('account_id', '=', accountId)
    .where('phone_key', 'in', phoneKeys)
    .execute();
  await db
    .deleteFrom('numbers_off_whatsapp')
    .where('account_id', '=', accountId)
    .where('phone_key', 'in', phoneKeys)
    .execute();
  await sql`
    update phone_sends set phone_key = '' where account_id = ${accountId} and phone_key = any(${phoneKeys}::text[])
  `.execute(db);
  await sql`
    update phone_signals set number = null where account_id = ${accountId} and number = any(${numbers}::text[])
  `.execute(db);
}
