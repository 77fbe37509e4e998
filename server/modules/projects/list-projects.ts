import type { Project } from '#contracts/projects.ts';
import type { AccountContext } from '#server/context.ts';
import { presentProjects } from './present.ts';

/** Newest first. */
export async function listProjects(ctx: AccountContext): Promise<{ data: Project[] }> {
  const rows = await ctx.db
    .selectFrom('projects')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .orderBy('id', 'desc')
    .execute();
  return { data: await presentProjects(ctx, rows) };
}
