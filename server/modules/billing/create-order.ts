import { sql } from 'kysely';
import type { Order } from '#contracts/billing.ts';
import type { AccountContext } from '#server/context.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { presentOrder } from './present.ts';
import { findCurrentSubscription, getPlan, recordOrder } from './queries.ts';
import type { PlanRow, SubscriptionRow } from './queries.ts';
import { refreshSubscription } from './refresh-subscription.ts';
import { isOpenAt } from './subscription-state.ts';

/** Starts paying for a plan; an order of the same plan that still waits for approval is taken up again. */
export async function createOrder(ctx: AccountContext, input: { planId: number }): Promise<Order> {
  const plan = await getPlan(ctx, input.planId);
  // Before looking for an order that waits: one that is written down meanwhile is then either found, or the same.
  const requestId = await requestIdFor(ctx, plan);
  const waiting = await findWaitingOrder(ctx, plan);
  const current = await findCurrentSubscription(ctx, ctx.account.id);
  if (current && isOpenAt(current.access_until, ctx.clock.now())) {
    throw new ConflictError('already_subscribed', refusalFor(current));
  }
  return presentOrder(waiting ?? (await placeOrder(ctx, plan, requestId)), ctx.payments);
}

function refusalFor(current: SubscriptionRow): string {
  if (current.status === 'cancelled') return 'Your subscription has not ended yet. Resume it instead.';
  return 'You already have an active subscription';
}

/** The provider is asked: the payer may have approved it, or declined, without our hearing of it. */
async function findWaitingOrder(ctx: AccountContext, plan: PlanRow): Promise<SubscriptionRow | undefined> {
  const order = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('provider', '=', ctx.payments.name)
    .where('plan_id', '=', plan.id)
    .where('status', '=', 'pending')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!order) return undefined;
  const refreshed = await refreshSubscription(ctx, order);
  return refreshed.status === 'pending' ? refreshed : undefined;
}

async function placeOrder(ctx: AccountContext, plan: PlanRow, requestId: string): Promise<SubscriptionRow> {
  const wanted = { accountId: ctx.account.id, planId: plan.id };
  const created = await ctx.payments.createOrder({ ...wanted, requestId });
  const order = await recordOrder(ctx, { ...wanted, ...created });
  if (!order) throw new Error(`The provider gave order ${created.orderId} to two accounts`);
  return order;
}

/**
 * The same until an order has been written down, so that a double click, or a crash between the provider's answer
 * and our record of it, comes back to one and the same order.
 */
async function requestIdFor(ctx: AccountContext, plan: PlanRow): Promise<string> {
  const { rows } = await sql<{ orders: number; born: number }>`
    select (extract(epoch from created_at) * 1000)::bigint as born,
           (select count(*)::int from subscriptions where account_id = ${ctx.account.id}) as orders
    from accounts where id = ${ctx.account.id}
  `.execute(ctx.db);
  return [ctx.account.id, rows[0]?.born, plan.id, rows[0]?.orders].join('-');
}
