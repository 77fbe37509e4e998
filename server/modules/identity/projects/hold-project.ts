import type { AccountContext, Tx } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { ProjectRow } from './tables.ts';

/** Throws 404 where there is none; else it is not deleted before the transaction ends. */
export async function holdProject(tx: Tx<AccountContext>, projectId: number): Promise<void> {
  const row = await tx.db
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', tx.account.id)
    .where('id', '=', projectId)
    .where(inScope(tx, 'id'))
    .forKeyShare()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Project');
}

/** Until the transaction ends, whoever else locks the project waits. Undefined where there is none. */
export function lockProject(
  tx: Tx,
  { accountId, projectId }: { accountId: number; projectId: number },
): Promise<ProjectRow | undefined> {
  return tx.db
    .selectFrom('projects')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .where(inScope(tx, 'id'))
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Once it resolves, whatever stored something of the project before has committed, or never will. */
export async function waitForProject(
  tx: Tx,
  { accountId, projectId }: { accountId: number; projectId: number },
): Promise<void> {
  await tx.db
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .forUpdate()
    .execute();
}
