import type { CurrentUser } from '#contracts/accounts.ts';
import type { AccountContext } from '#server/context.ts';
import { getSubscription } from '#server/modules/identity/billing/index.ts';
import type { Origin } from './origin.ts';
import { presentActor } from './present.ts';
import { recordKeyShown } from './security-events/record-key-shown.ts';

export async function getCurrentUser(ctx: AccountContext, { origin }: { origin: Origin }): Promise<CurrentUser> {
  await recordKeyShown(ctx, origin);
  return { user: await presentActor(ctx), subscription: await getSubscription(ctx, ctx.account.id) };
}
