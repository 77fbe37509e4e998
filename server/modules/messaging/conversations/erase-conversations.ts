import type { Context } from '#server/context.ts';

/** Deletes the conversations with one person, whose keys these are, and what hangs on them. */
export async function eraseConversationsOf(
  { db }: Context,
  { accountId, contactKeys }: { accountId: number; contactKeys: readonly string[] },
): Promise<void> {
  await db
    .deleteFrom('conversations')
    .where('account_id', '=', accountId)
    .where('contact_key', 'in', contactKeys)
    .execute();
}
