import { parseFieldPath } from '#contracts/field-path.ts';
import type { AccountContext } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';

/** Throws 422 for a custom field that no profile of the account has; `at` is the field of the request. */
export async function requireKnownPath(ctx: AccountContext, fieldPath: string, at: string): Promise<void> {
  const field = parseFieldPath(fieldPath);
  if (field?.kind === 'column') return;
  const known =
    field &&
    (await ctx.db
      .selectFrom('profile_field_totals')
      .select('path')
      .where('account_id', '=', ctx.account.id)
      .where('path', '=', fieldPath)
      .limit(1)
      .executeTakeFirst());
  if (!known) throw new InvalidInputError([{ path: at, message: `No profile has a field ${fieldPath}` }]);
}
