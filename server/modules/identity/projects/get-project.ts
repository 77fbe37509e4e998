import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { ProjectRow } from './tables.ts';

/** The caller's own project. Another account's is a 404, as is one that there is not. */
export async function getProject(ctx: AccountContext, projectId: number): Promise<ProjectRow> {
  const row = await ctx.db
    .selectFrom('projects')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', projectId)
    .where(inScope(ctx, 'id'))
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Project');
  return row;
}
