import type { Project } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { presentProject } from './present.ts';

export async function getProject(ctx: AccountContext, input: { projectId: number }): Promise<Project> {
  const row = await ctx.db
    .selectFrom('projects')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', input.projectId)
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Project');
  return presentProject(ctx, row);
}
