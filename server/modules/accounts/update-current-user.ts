import type { User, UserChange } from '#contracts/accounts.ts';
import type { AccountContext } from '#server/context.ts';
import { presentUser } from './present.ts';
import { getAccount } from './queries.ts';

export async function updateCurrentUser(ctx: AccountContext, change: UserChange): Promise<User> {
  if (Object.keys(change).length === 0) return presentUser(await getAccount(ctx), ctx.secrets);
  const account = await ctx.db
    .updateTable('accounts')
    .set(change)
    .where('id', '=', ctx.account.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return presentUser(account, ctx.secrets);
}
