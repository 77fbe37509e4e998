import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { deleteSlice } from '#server/platform/db/delete-slice.ts';

/** Deletes up to `limit` of an account's webhook records that are older than `before`, and answers how many. */
export function removeWebhooksBefore(
  { db }: Context,
  { accountId, before, limit }: { accountId: number; before: Date; limit: number },
): Promise<number> {
  const isOld = sql<boolean>`id < record_id_at(${before}::timestamptz) and status <> 'pending'`;
  return deleteSlice(db, 'webhook_records', { accountId, isOld, limit });
}
