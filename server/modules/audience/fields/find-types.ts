import type { TypeOfField } from '#contracts/field-types.ts';
import { indexedAs } from '#contracts/field-types.ts';
import type { AccountContext } from '#server/context.ts';

/** By path: the types that the account gave these fields, or took back. */
export async function findTypes(ctx: AccountContext, paths: readonly string[]): Promise<Map<string, TypeOfField>> {
  if (paths.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('field_types as t')
    .leftJoin('typed_fields as f', (join) =>
      join
        .onRef('f.account_id', '=', 't.account_id')
        .onRef('f.path', '=', 't.path')
        .on('f.dropped_at', 'is', null)
        .on('f.filled_at', 'is not', null),
    )
    .select(['t.path', 't.type', 't.typed_at', 'f.id as field_id'])
    .where('t.account_id', '=', ctx.account.id)
    .where('t.path', 'in', [...new Set(paths)])
    .execute();
  return new Map(
    rows.map(({ path, type, typed_at: since, field_id: fieldId }) => [
      path,
      { type, since: since.toISOString(), ...(fieldId !== null && { [indexedAs]: fieldId }) },
    ]),
  );
}
