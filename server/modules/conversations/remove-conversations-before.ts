import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { deleteSlice } from '#server/platform/db/delete-slice.ts';

/** Deletes up to `limit` of an account's conversations whose latest message is older than `before`; answers how many. */
export function removeConversationsBefore(
  { db }: Context,
  { accountId, before, limit }: { accountId: number; before: Date; limit: number },
): Promise<number> {
  const isOld = sql<boolean>`last_message_id < record_id_at(${before}::timestamptz)`;
  return deleteSlice(db, 'conversations', { accountId, isOld, limit });
}
