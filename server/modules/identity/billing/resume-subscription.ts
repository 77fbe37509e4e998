import type { Subscription } from '#contracts/billing.ts';
import type { AccountContext } from '#server/context.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { getSubscription } from './get-subscription.ts';
import { findChangeableSubscription } from './queries.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { statusAt } from './status-at.ts';

/** Takes a cancellation back while the paid period lasts, where the provider knows how. */
export async function resumeSubscription(ctx: AccountContext): Promise<Subscription> {
  const current = await findChangeableSubscription(ctx, ctx.account.id, ['cancelled']);
  if (!current || statusAt(current, ctx.clock.now()) !== 'cancelled') {
    throw new ConflictError('not_cancelled', 'There is no cancelled subscription to resume');
  }
  if (!ctx.payments.resume) {
    const reason = 'PayPal has ended this subscription for good. Subscribe again: nothing is charged until it is over.';
    throw new ConflictError('cancelled_for_good', reason);
  }
  await ctx.payments.resume(current.order_id);
  await refreshSubscription(ctx, current);
  return getSubscription(ctx, ctx.account.id);
}
