import type { TestApproval } from '#contracts/billing.ts';
import type { OrderDecision } from '#server/connectors/payments/port.ts';
import type { AccountContext } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';

/** Plays the payer at the provider; access opens only when the order is captured. */
export async function approveTestOrder(
  ctx: AccountContext,
  input: TestApproval,
): Promise<{ orderId: string; status: OrderDecision }> {
  if (!ctx.payments.decideOrder) {
    throw new ProblemError(404, 'test_payments_off', 'Test payments are off on this server');
  }
  const status = await ctx.payments.decideOrder({ ...input, accountId: ctx.account.id });
  if (!status) throw new ProblemError(404, 'order_not_found', 'Order not found');
  return { orderId: input.orderId, status };
}
