import type { Updateable } from 'kysely';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { announceProjectKeys, publishLive } from '#server/modules/identity/live/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { ProjectRow, ProjectsTable } from './tables.ts';

/** Writes columns of the caller's own project and notifies its open pages. */
export async function changeProject(
  ctx: AccountContext,
  projectId: number,
  columns: Updateable<ProjectsTable>,
): Promise<ProjectRow> {
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db
      .updateTable('projects')
      .set(columns)
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', projectId)
      .where(inScope(tx, 'id'))
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new NotFoundError('Project');
    await announceProjectKeys(tx, ctx.account.id);
    await publishLive(tx, ctx.account.id, { type: 'projects.changed', project_id: row.id });
    return row;
  });
}
