import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { SubscriptionStatus } from '#contracts/billing.ts';
import type { Context } from '#server/context.ts';
import type { PlansTable, SubscriptionsTable } from '#server/platform/db/schema.ts';
import { ProblemError } from '#server/platform/errors.ts';

export type SubscriptionRow = Selectable<SubscriptionsTable>;
export type PlanRow = Selectable<PlansTable>;

export async function getPlan(ctx: Context, planId: number): Promise<PlanRow> {
  const plan = await findPlan(ctx, planId);
  if (!plan) throw new ProblemError(404, 'plan_not_found', 'Plan not found');
  return plan;
}

export function findPlan(ctx: Context, planId: number): Promise<PlanRow | undefined> {
  return ctx.db.selectFrom('plans').selectAll().where('id', '=', planId).executeTakeFirst();
}

/**
 * The subscription that counts: the one that opens the product the longest, else the newest. An order that was never
 * approved and no longer can be does not count.
 */
export function findCurrentSubscription(ctx: Context, accountId: number): Promise<SubscriptionRow | undefined> {
  return subscriptionsOf(ctx, accountId)
    .where((where) => where.or([where('started_at', 'is not', null), where('status', 'in', ['pending', 'active'])]))
    .limit(1)
    .executeTakeFirst();
}

/** The one among those in some states that the provider in use can be asked to change. */
export function findChangeableSubscription(
  ctx: Context,
  accountId: number,
  statuses: readonly SubscriptionStatus[],
): Promise<SubscriptionRow | undefined> {
  return subscriptionsOf(ctx, accountId)
    .where('provider', '=', ctx.payments.name)
    .where('status', 'in', statuses)
    .limit(1)
    .executeTakeFirst();
}

function subscriptionsOf(ctx: Context, accountId: number) {
  return ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy(sql`case when access_until > ${ctx.clock.now()} then access_until end`, (by) => by.desc().nullsLast())
    .orderBy('id', 'desc');
}

/** The account's own; another account's order is as good as absent. */
export function findOrder(ctx: Context, accountId: number, orderId: string): Promise<SubscriptionRow | undefined> {
  return ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('provider', '=', ctx.payments.name)
    .where('order_id', '=', orderId)
    .executeTakeFirst();
}

/** Writes an order down as the account's; undefined when another account has it. A repeat changes nothing. */
export async function recordOrder(
  ctx: Context,
  order: { accountId: number; planId: number; orderId: string; approvalUrl?: string | undefined },
): Promise<SubscriptionRow | undefined> {
  const now = ctx.clock.now();
  await ctx.db
    .insertInto('subscriptions')
    .values({
      account_id: order.accountId,
      plan_id: order.planId,
      provider: ctx.payments.name,
      order_id: order.orderId,
      approval_url: order.approvalUrl ?? null,
      status: 'pending',
      next_check_at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'order_id']).doNothing())
    .execute();
  return findOrder(ctx, order.accountId, order.orderId);
}
