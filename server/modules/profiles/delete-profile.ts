import type { AccountContext } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';

/** Its messages stay in the records. */
export async function deleteProfile(ctx: AccountContext, input: { profileId: number }): Promise<void> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('profiles')
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', input.profileId)
    .executeTakeFirst();
  if (numDeletedRows === 0n) throw new NotFoundError('Profile');
}
