import type { Updateable } from 'kysely';
import type { Project } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { presentProject } from './present.ts';
import type { ProjectsTable } from './tables.ts';

/** Writes columns of the caller's own project and tells its open pages. */
export async function changeProject(
  ctx: AccountContext,
  projectId: number,
  columns: Updateable<ProjectsTable>,
): Promise<Project> {
  return inTransaction(ctx, async (tx) => {
    const row = await tx.db
      .updateTable('projects')
      .set(columns)
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', projectId)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new NotFoundError('Project');
    await publishLive(tx, ctx.account.id, { type: 'projects.changed', project_id: row.id });
    return presentProject(tx, row);
  });
}
