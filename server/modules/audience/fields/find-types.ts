import type { TypeOfField } from '#contracts/field-types.ts';
import type { AccountContext } from '#server/context.ts';

/** By path: the types that the account gave these fields, or took back. */
export async function findTypes(ctx: AccountContext, paths: readonly string[]): Promise<Map<string, TypeOfField>> {
  if (paths.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('field_types')
    .select(['path', 'type', 'typed_at'])
    .where('account_id', '=', ctx.account.id)
    .where('path', 'in', [...new Set(paths)])
    .execute();
  return new Map(rows.map(({ path, type, typed_at: since }) => [path, { type, since: since.toISOString() }]));
}
