import type { AccountContext, Tx } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';

/** Throws 404 where there is none; else it is not deleted before the transaction ends. */
export async function holdProject(tx: Tx<AccountContext>, projectId: number): Promise<void> {
  const row = await tx.db
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where('id', '=', projectId)
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Project');
}
