import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/** Deletes up to `limit` of an account's webhook records that are older than `before`, and answers how many. */
export async function removeWebhooksBefore(
  { db }: Context,
  { accountId, before, limit }: { accountId: number; before: Date; limit: number },
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from webhook_records
     where account_id = ${accountId} and id in (
       select id from webhook_records
        where account_id = ${accountId} and id < record_id_at(${before}::timestamptz) and status <> 'pending'
        order by id limit ${limit})
  `.execute(db);
  return Number(numAffectedRows ?? 0n);
}
