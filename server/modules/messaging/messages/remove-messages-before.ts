import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/**
 * Deletes up to `limit` of an account's messages that are older than `before`, the oldest first, and answers how many.
 * Waiting messages stay, however old they are, and the age of others counts from when they were due or went out.
 */
export async function removeMessagesBefore(
  { db }: Context,
  { accountId, before, limit }: { accountId: number; before: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from messages
     where account_id = ${accountId} and id in (
       select id from messages
        where account_id = ${accountId} and id < record_id_at(${before}::timestamptz)
          and status not in ('scheduled', 'deferred', 'pending', 'sending')
          and coalesce(greatest(due_at, sent_at) < ${before}::timestamptz, true)
        order by id limit ${limit})
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
