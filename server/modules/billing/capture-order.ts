import type { OrderCapture, Subscription } from '#contracts/billing.ts';
import type { AccountContext } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { getSubscription } from './get-subscription.ts';
import { findOrder, getPlan, recordOrder } from './queries.ts';
import type { SubscriptionRow } from './queries.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { isOpenAt, isSameOrder } from './subscription-state.ts';

/** Missing, declined, still waiting, another account's, another plan's: one answer for all. */
class PaymentNotApprovedError extends ProblemError {
  constructor() {
    super(402, 'payment_not_approved', 'The payment has not been approved');
  }
}

/** Opens access when the provider itself says that the order is paid for; a repeat changes nothing. */
export async function captureOrder(ctx: AccountContext, input: OrderCapture): Promise<Subscription> {
  const plan = await getPlan(ctx, input.planId);
  const order = (await findOrder(ctx, ctx.account.id, input.orderId)) ?? (await claimOrder(ctx, input));
  if (order?.plan_id !== plan.id) throw new PaymentNotApprovedError();
  const captured = await refreshSubscription(ctx, order);
  if (captured.status === 'cancelled' || !isOpenAt(captured.access_until, ctx.clock.now())) {
    throw new PaymentNotApprovedError();
  }
  await cancelReplaced(ctx, captured);
  return getSubscription(ctx, ctx.account.id);
}

/** An order that the payer made on the provider's own page: ours only if it names this very account. */
async function claimOrder(ctx: AccountContext, input: OrderCapture): Promise<SubscriptionRow | undefined> {
  const truth = await ctx.payments.findSubscription(input.orderId);
  const wanted = { account_id: ctx.account.id, plan_id: input.planId };
  if (!truth || truth.accountId !== ctx.account.id || !isSameOrder(truth, wanted)) return undefined;
  return recordOrder(ctx, { accountId: ctx.account.id, planId: input.planId, orderId: truth.orderId });
}

/** An older subscription that a payment failed for could come back to life: nobody is to pay twice. */
async function cancelReplaced(ctx: AccountContext, captured: SubscriptionRow): Promise<void> {
  const replaced = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('provider', '=', captured.provider)
    .where('status', 'in', ['active', 'past_due', 'suspended'])
    .where('id', '<', captured.id)
    .execute();
  for (const subscription of replaced) {
    try {
      await ctx.payments.cancel(subscription.order_id);
      await refreshSubscription(ctx, subscription);
    } catch (error) {
      ctx.logger.error({ err: error, orderId: subscription.order_id }, 'could not cancel a replaced subscription');
    }
  }
}
