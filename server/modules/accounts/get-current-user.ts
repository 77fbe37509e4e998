import type { CurrentUser } from '#contracts/accounts.ts';
import type { AccountContext } from '#server/context.ts';
import { getSubscription } from '#server/modules/billing/index.ts';
import { presentUser } from './present.ts';
import { getAccount } from './queries.ts';

export async function getCurrentUser(ctx: AccountContext): Promise<CurrentUser> {
  const account = await getAccount(ctx);
  return {
    user: presentUser(account, ctx.secrets),
    subscription: await getSubscription(ctx, account.id),
  };
}
