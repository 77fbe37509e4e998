import { parseFieldPath, unknownFieldMessage } from '#contracts/field-path.ts';
import type { AccountContext } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/** A path that a request names; `at` is the field of the request. */
type NamedPath = { fieldPath: string; at: string };

/** Throws 422 that names every custom field that no profile of the account has, and that was given no type either. */
export async function requireKnownPaths(ctx: AccountContext, named: readonly NamedPath[]): Promise<void> {
  const custom = named.filter(({ fieldPath }) => !['column', 'fact'].includes(parseFieldPath(fieldPath)?.kind ?? ''));
  if (custom.length === 0) return;
  const rows = await ctx.db
    .selectFrom('profile_field_totals')
    .select('path')
    .where('account_id', '=', ctx.account.id)
    .where(
      'path',
      'in',
      custom.map(({ fieldPath }) => fieldPath),
    )
    .execute();
  const known = new Set(rows.map(({ path }) => path));
  const unmet = custom.filter(({ fieldPath }) => !known.has(fieldPath));
  if (unmet.length === 0) return;
  const typed = await findTyped(
    ctx,
    unmet.map(({ fieldPath }) => fieldPath),
  );
  const unknown = unmet.filter(({ fieldPath }) => !typed.has(fieldPath));
  if (unknown.length === 0) return;
  throw new InvalidInputError(
    unknown.map(({ fieldPath, at }) => ({ path: at, message: unknownFieldMessage(fieldPath) })),
  );
}

/** Fields that the account gave a type before any profile has them. */
async function findTyped({ db, account }: AccountContext, paths: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('field_types')
    .select('path')
    .where('account_id', '=', account.id)
    .where('path', 'in', [...paths])
    .where('type', 'is not', null)
    .execute();
  return new Set(rows.map(({ path }) => path));
}
