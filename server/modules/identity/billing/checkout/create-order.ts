import { sql } from 'kysely';
import type { Order } from '#contracts/billing.ts';
import type { AccountContext } from '#server/context.ts';
import { deferredStart } from './deferred-start.ts';
import { presentOrder } from '../present.ts';
import { getPaymentReference, getPlan, recordOrder } from '../queries.ts';
import type { PayablePlan, SubscriptionRow } from '../queries.ts';
import { refreshSubscription } from '../refresh-subscription.ts';

/** Starts paying for a plan; an order of the same plan that still waits for approval is taken up again. */
export async function createOrder(ctx: AccountContext, input: { planId: number }): Promise<Order> {
  const plan = await getPlan(ctx, input.planId);
  const reference = await getPaymentReference(ctx, ctx.account.id);
  // Before looking for an order that waits: one that is written down meanwhile is then either found, or the same.
  const orders = await countOrders(ctx);
  const waiting = await findWaitingOrder(ctx, plan);
  const startsAt = await deferredStart(ctx);
  if (waiting && waiting.starts_at?.getTime() === startsAt?.getTime()) {
    return presentOrder(waiting, reference, ctx.payments);
  }
  const order = await placeOrder(ctx, plan, {
    account: { id: ctx.account.id, reference },
    planId: plan.id,
    startsAt,
    // The same until an order has been written down, so that a double click, or a crash between the provider's answer
    // and our record of it, comes back to one and the same order; it is to PayPal's plan as it is set today.
    requestId: [reference, plan.provider_plan_id, orders, startsAt?.getTime() ?? 'now'].join('-'),
  });
  return presentOrder(order, reference, ctx.payments);
}

/** PayPal's page for approving an order ends after three hours. */
const approvableMs = 2 * 3_600_000;

/** The provider is asked: the payer may have approved it, or declined, without our hearing of it. */
async function findWaitingOrder(ctx: AccountContext, plan: PayablePlan): Promise<SubscriptionRow | undefined> {
  const order = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('provider', '=', ctx.payments.name)
    .where('provider_plan_id', '=', plan.provider_plan_id)
    .where('status', '=', 'pending')
    // An order that was approved, and only never paid for, has nothing to approve any more.
    .where('started_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!order) return undefined;
  const refreshed = await refreshSubscription(ctx, order);
  const isFresh = ctx.clock.now().getTime() - order.created_at.getTime() < approvableMs;
  return isFresh && refreshed.status === 'pending' && refreshed.started_at === null ? refreshed : undefined;
}

type Placement = Parameters<AccountContext['payments']['createOrder']>[0];

async function placeOrder(ctx: AccountContext, plan: PayablePlan, placement: Placement): Promise<SubscriptionRow> {
  const created = await ctx.payments.createOrder(placement);
  const order = await recordOrder(ctx, {
    accountId: ctx.account.id,
    planId: plan.id,
    providerPlanId: plan.provider_plan_id,
    startsAt: placement.startsAt,
    ...created,
  });
  if (!order) throw new Error(`The provider gave order ${created.orderId} to two accounts`);
  return order;
}

async function countOrders(ctx: AccountContext): Promise<number> {
  const { rows } = await sql<{ orders: number }>`
    select count(*)::int as orders from subscriptions where account_id = ${ctx.account.id}
  `.execute(ctx.db);
  return rows[0]?.orders ?? 0;
}
