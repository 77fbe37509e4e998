import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { NotFoundError } from '#server/platform/errors.ts';

/** Its messages stay in the records; what waits for it is withdrawn. */
export async function deleteProfile(ctx: AccountContext, { profileId }: { profileId: number }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('profiles')
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', profileId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new NotFoundError('Profile');
    const source = { accountId: ctx.account.id, at: tx.clock.now() };
    await tx.onDomainEvents(tx, [{ ...source, type: 'profiles.deleted', profileIds: [profileId] }]);
  });
}
