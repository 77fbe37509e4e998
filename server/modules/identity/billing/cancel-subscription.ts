import type { Subscription } from '#contracts/billing.ts';
import type { AccountContext } from '#server/context.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { getSubscription } from './get-subscription.ts';
import { findChangeableSubscription } from './queries.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { statusAt } from './status-at.ts';

const cancellable = ['active', 'past_due', 'suspended', 'cancelled', 'pending'] as const;

/** Stops the renewal; access stays until the paid period ends. A repeat changes nothing. */
export async function cancelSubscription(ctx: AccountContext): Promise<Subscription> {
  const current = await findChangeableSubscription(ctx, ctx.account.id, cancellable);
  if (!current || statusAt(current, ctx.clock.now()) === 'expired') {
    throw new ConflictError('not_subscribed', 'There is no subscription to cancel');
  }
  // Afterwards the provider may no longer say until when it is paid for.
  const known = await refreshSubscription(ctx, current);
  await ctx.payments.cancel(known.order_id);
  await refreshSubscription(ctx, known);
  return getSubscription(ctx, ctx.account.id);
}
