import type { OrderCapture, Subscription } from '#contracts/billing.ts';
import type { AccountContext } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { cancelNeedless } from '../cancel-needless.ts';
import { claimOrder } from './claim-order.ts';
import { getSubscription } from '../get-subscription.ts';
import { findOrder, getPlan } from '../queries.ts';
import { refreshSubscription } from '../refresh-subscription.ts';
import { isOpenAt } from '../status-at.ts';

/** Missing, declined, still waiting, another account's, another plan's: one answer for all. */
class PaymentNotApprovedError extends ProblemError {
  constructor() {
    super(402, 'payment_not_approved', 'The payment has not been approved');
  }
}

/** Opens access when the provider itself says that the order is paid for; a repeat changes nothing. */
export async function captureOrder(ctx: AccountContext, input: OrderCapture): Promise<Subscription> {
  const plan = await getPlan(ctx, input.planId);
  const claim = { accountId: ctx.account.id, plan, orderId: input.orderId };
  const order = (await findOrder(ctx, ctx.account.id, input.orderId)) ?? (await claimOrder(ctx, claim));
  if (order?.plan_id !== plan.id) throw new PaymentNotApprovedError();
  const captured = await refreshSubscription(ctx, order);
  if (captured.status === 'cancelled' || !isOpenAt(captured.access_until, ctx.clock.now())) {
    throw new PaymentNotApprovedError();
  }
  await cancelNeedless(ctx, ctx.account.id);
  return getSubscription(ctx, ctx.account.id);
}
