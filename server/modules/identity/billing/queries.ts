import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { SubscriptionStatus } from '#contracts/billing.ts';
import { isSubscribedAt } from '#server/account-access.ts';
import type { Context } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import type { PlansTable, SubscriptionsTable } from './tables.ts';
import { grantPlanId, trialPlanId } from './trial.ts';

export type SubscriptionRow = Selectable<SubscriptionsTable>;
export type PlanRow = Selectable<PlansTable>;

/** A plan, with what the provider in use knows it by. */
export type PayablePlan = PlanRow & { provider_plan_id: string };

/** A plan that cannot be paid for here is as good as absent. */
export async function getPlan(ctx: Context, planId: number): Promise<PayablePlan> {
  const plan = await findPlan(ctx, planId);
  const providerPlanId = ctx.payments.providerPlanId(planId);
  if (!plan || providerPlanId === undefined) throw new ProblemError(404, 'plan_not_found', 'Plan not found');
  return { ...plan, provider_plan_id: providerPlanId };
}

export function findPlan(ctx: Context, planId: number): Promise<PlanRow | undefined> {
  return ctx.db.selectFrom('plans').selectAll().where('id', '=', planId).executeTakeFirst();
}

/**
 * The subscription that counts: the one that opens the product the longest, else the newest. An order that was never
 * approved and no longer can be does not count, nor does a trial.
 */
export function findCurrentSubscription(ctx: Context, accountId: number): Promise<SubscriptionRow | undefined> {
  return subscriptionsOf(ctx, accountId)
    .where((where) => where.or([where('started_at', 'is not', null), where('status', 'in', ['pending', 'active'])]))
    .limit(1)
    .executeTakeFirst();
}

/**
 * The one among those in some states that the provider in use can be asked to change. A pending one counts once it was
 * approved: only its first payment is still to come.
 */
export function findChangeableSubscription(
  ctx: Context,
  accountId: number,
  statuses: readonly SubscriptionStatus[],
): Promise<SubscriptionRow | undefined> {
  return subscriptionsOf(ctx, accountId)
    .where('provider', '=', ctx.payments.name)
    .where('status', 'in', statuses)
    .where('provider_plan_id', '!=', grantPlanId)
    .where((where) => where.or([where('status', '!=', 'pending'), where('started_at', 'is not', null)]))
    .limit(1)
    .executeTakeFirst();
}

function subscriptionsOf(ctx: Context, accountId: number) {
  return ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('provider_plan_id', '!=', trialPlanId)
    .orderBy(sql`case when ${isSubscribedAt(ctx.clock.now(), 'subscriptions')} then access_until end`, (by) =>
      by.desc().nullsLast(),
    )
    .orderBy('id', 'desc');
}

/**
 * The facts beside its own row that a subscription is checked against: the account's payment reference, and how long a
 * payment lasts.
 */
export type SubscriptionTerms = { payment_reference: string; duration_months: number };

export function getTerms(ctx: Context, { account_id, plan_id }: SubscriptionRow): Promise<SubscriptionTerms> {
  return ctx.db
    .selectFrom('accounts')
    .innerJoin('plans', (join) => join.on('plans.id', '=', plan_id))
    .select(['accounts.payment_reference', 'plans.duration_months'])
    .where('accounts.id', '=', account_id)
    .executeTakeFirstOrThrow();
}

export async function getPaymentReference(ctx: Context, accountId: number): Promise<string> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select('payment_reference')
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return account.payment_reference;
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

export type OrderToRecord = {
  accountId: number;
  planId: number;
  providerPlanId: string;
  orderId: string;
  startsAt: Date | null;
  approvalUrl?: string | undefined;
};

/** Writes an order down as the account's; undefined when another account has it. A repeat changes nothing. */
export async function recordOrder(ctx: Context, order: OrderToRecord): Promise<SubscriptionRow | undefined> {
  const now = ctx.clock.now();
  await ctx.db
    .insertInto('subscriptions')
    .values({
      account_id: order.accountId,
      plan_id: order.planId,
      provider: ctx.payments.name,
      provider_plan_id: order.providerPlanId,
      order_id: order.orderId,
      approval_url: order.approvalUrl ?? null,
      status: 'pending',
      starts_at: order.startsAt,
      next_check_at: now,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['provider', 'order_id']).doNothing())
    .execute();
  return findOrder(ctx, order.accountId, order.orderId);
}
