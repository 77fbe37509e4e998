import type { Context } from '#server/context.ts';

/** Deletes the conversations with one person, whose keys these are, and what hangs on them. Answers their ids. */
export async function eraseConversationsOf(
  { db }: Context,
  { accountId, contactKeys }: { accountId: number; contactKeys: readonly string[] },
): Promise<number[]> {
  const rows = await db
    .deleteFrom('conversations')
    .where('account_id', '=', accountId)
    .where('contact_key', 'in', contactKeys)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}
