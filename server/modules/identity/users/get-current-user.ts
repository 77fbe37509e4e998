import type { CurrentUser } from '#contracts/accounts.ts';
import type { AccountContext } from '#server/context.ts';
import { getAccount } from '#server/modules/identity/accounts/index.ts';
import { getSubscription } from '#server/modules/identity/billing/index.ts';
import type { Origin } from './origin.ts';
import { presentActor } from './present.ts';
import { recordKeyShown } from './security-events/record-key-shown.ts';

export async function getCurrentUser(ctx: AccountContext, { origin }: { origin: Origin }): Promise<CurrentUser> {
  await recordKeyShown(ctx, origin);
  const { suspended_at: since, suspension_reason: reason } = await getAccount(ctx);
  return {
    user: await presentActor(ctx),
    subscription: await getSubscription(ctx, ctx.account.id),
    suspension: since && { reason: reason ?? '', since: since.toISOString() },
  };
}
