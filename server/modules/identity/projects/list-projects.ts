import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import type { ProjectRow } from './tables.ts';

/** Newest first. */
export function listProjects(ctx: AccountContext): Promise<ProjectRow[]> {
  return ctx.db
    .selectFrom('projects')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where(inScope(ctx, 'id'))
    .orderBy('id', 'desc')
    .execute();
}
