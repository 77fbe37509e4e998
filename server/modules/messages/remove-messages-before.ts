import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { deleteSlice } from '#server/platform/db/delete-slice.ts';

/**
 * Deletes up to `limit` of an account's messages that are older than `before`, the oldest first, and answers how many.
 * What waits to be sent stays, however old it is.
 */
export function removeMessagesBefore(
  { db }: Context,
  { accountId, before, limit }: { accountId: number; before: Date; limit: number },
): Promise<number> {
  const isOld = sql<boolean>`id < record_id_at(${before}::timestamptz)
      and status not in ('scheduled', 'deferred', 'pending', 'sending')`;
  return deleteSlice(db, 'messages', { accountId, isOld, limit });
}
