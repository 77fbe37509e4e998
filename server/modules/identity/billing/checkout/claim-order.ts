import type { Context } from '#server/context.ts';
import { agreedStart } from './deferred-start.ts';
import { getPaymentReference, recordOrder } from '../queries.ts';
import type { PayablePlan, SubscriptionRow } from '../queries.ts';
import { isSameOrder } from './is-same-order.ts';

type Claim = { accountId: number; plan: PayablePlan; orderId: string };

/**
 * An order that the payer made with the provider's own buttons: the account's only if it names this very account, and
 * is to that plan on the plan's own terms. Undefined otherwise, or when another account has it.
 */
export async function claimOrder(
  ctx: Context,
  { accountId, plan, orderId }: Claim,
): Promise<SubscriptionRow | undefined> {
  const truth = await ctx.payments.findSubscription(orderId);
  if (!truth?.accountReference) return undefined;
  // An order without approval may be one that is being placed at this very moment, and an approved one that is not
  // active has nothing to give.
  if (truth.state === 'approval_pending' || truth.state === 'approved') return undefined;
  const { id: planId, provider_plan_id: providerPlanId } = plan;
  const wanted = { payment_reference: await getPaymentReference(ctx, accountId), provider_plan_id: providerPlanId };
  if (!isSameOrder(truth, wanted)) return undefined;
  const startsAt = await agreedStart(ctx, accountId);
  return recordOrder(ctx, { accountId, planId, providerPlanId, orderId: truth.orderId, startsAt });
}
