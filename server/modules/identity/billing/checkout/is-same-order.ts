import type { ProviderSubscription } from '#server/connectors/payments/port.ts';

/**
 * Whether the provider's answer is about the order that the account took out: the plan is the one that was asked for,
 * on its own terms, and nobody else's account was named.
 */
export function isSameOrder(
  truth: ProviderSubscription,
  order: { payment_reference: string; provider_plan_id: string },
): boolean {
  if (truth.providerPlanId !== order.provider_plan_id) return false;
  return (truth.accountReference ?? order.payment_reference) === order.payment_reference;
}
