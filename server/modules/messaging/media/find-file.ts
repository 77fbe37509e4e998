import type { AccountContext } from '#server/context.ts';
import { isInScope } from '#server/scope.ts';
import type { MediaFile } from './storing/store-file.ts';

/** A file that who acts may see; undefined for one of another account, or of a project that its key does not belong to. */
export async function findFile(ctx: AccountContext, mediaId: string): Promise<MediaFile | undefined> {
  const file = await ctx.db
    .selectFrom('media_files')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', mediaId)
    .where('state', '<>', 'storing')
    .executeTakeFirst();
  if (!file || (file.is_of_project && !isInScope(ctx, file.project_id ?? 0))) return undefined;
  return file;
}
