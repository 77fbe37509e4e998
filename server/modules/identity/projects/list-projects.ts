import type { AccountContext } from '#server/context.ts';
import type { ProjectRow } from './tables.ts';

/** Newest first. */
export function listProjects(ctx: AccountContext): Promise<ProjectRow[]> {
  return ctx.db
    .selectFrom('projects')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .orderBy('id', 'desc')
    .execute();
}
