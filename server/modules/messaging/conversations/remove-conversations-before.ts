import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/**
 * Deletes up to `limit` of an account's conversations whose latest message is older than `before` and gone; answers how
 * many.
 */
export async function removeConversationsBefore(
  { db }: Context,
  { accountId, before, limit }: { accountId: number; before: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from conversations
     where account_id = ${accountId} and id in (
       select id from conversations c
        where account_id = ${accountId} and last_message_id < record_id_at(${before}::timestamptz)
          and not exists (select from messages m where m.account_id = c.account_id and m.id = c.last_message_id)
        order by id limit ${limit})
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
