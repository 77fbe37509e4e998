import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';

/** Lets the account have so many projects, where its plan has fewer; null: as many as its plan. Throws 404. */
export async function allowProjects(
  tx: Tx,
  { accountId, limit }: { accountId: number; limit: number | null },
): Promise<void> {
  const account = await tx.db
    .updateTable('accounts')
    .set({ project_limit: limit })
    .where('id', '=', accountId)
    .returning('id')
    .executeTakeFirst();
  if (!account) throw new NotFoundError('Account');
  await publishLive(tx, accountId, { type: 'subscription.changed' });
}
