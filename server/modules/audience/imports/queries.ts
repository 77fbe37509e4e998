import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import type { ImportRecord } from './present.ts';

export async function getImportRecord(ctx: AccountContext, importId: number): Promise<ImportRecord> {
  const row = await ctx.db
    .selectFrom('profile_imports')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', importId)
    .where('status', '!=', 'uploading')
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Import');
  return row;
}

/** Newest first. */
export function findImportRecords(ctx: AccountContext): Promise<ImportRecord[]> {
  return ctx.db
    .selectFrom('profile_imports')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('status', '!=', 'uploading')
    .orderBy('id', 'desc')
    .limit(20)
    .execute();
}
