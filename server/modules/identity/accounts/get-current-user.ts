import type { CurrentUser } from '#contracts/accounts.ts';
import type { AccountContext } from '#server/context.ts';
import { getSubscription } from '#server/modules/identity/billing/index.ts';
import type { Origin } from './origin.ts';
import { presentUser } from './present.ts';
import { getAccount } from './queries.ts';
import { recordKeyShown } from './security-events/record-key-shown.ts';

export async function getCurrentUser(ctx: AccountContext, { origin }: { origin: Origin }): Promise<CurrentUser> {
  const account = await getAccount(ctx);
  await recordKeyShown(ctx, origin);
  return {
    user: presentUser(account, ctx.secrets),
    subscription: await getSubscription(ctx, account.id),
  };
}
