import { premiumPlan } from '#contracts/billing.ts';
import type { Plan, Subscription } from '#contracts/billing.ts';
import type { Context } from '#server/context.ts';
import { presentCurrentSubscription, presentPlan } from './present.ts';
import { findCurrentSubscription, findPlan } from './queries.ts';
import { isOpenAt, statusAt } from './status-at.ts';
import { findTrialEnd, findTrialOver } from './trial.ts';

/** Where an account stands, from what was written down; the provider is not asked. */
export async function getSubscription(ctx: Context, accountId: number): Promise<Subscription> {
  const now = ctx.clock.now();
  const offer = await planOnOffer(ctx);
  const current = await findCurrentSubscription(ctx, accountId);
  const trialEndsAt = await findTrialEnd(ctx, accountId);
  const trial_ends_at = trialEndsAt?.toISOString() ?? null;
  if (!current) {
    return {
      status: 'none',
      hasActiveSubscription: trialEndsAt !== null,
      trial_ends_at,
      trial_ended_at: trialEndsAt ? null : ((await findTrialOver(ctx, accountId))?.toISOString() ?? null),
      plan: null,
      currentSubscription: null,
      subscriptionPlan: offer,
      provider: ctx.payments.name,
    };
  }
  const plan = current.plan_id === offer.id ? undefined : await findPlan(ctx, current.plan_id);
  return {
    status: statusAt(current, now),
    hasActiveSubscription: trialEndsAt !== null || isOpenAt(current.access_until, now),
    trial_ends_at,
    trial_ended_at: null,
    plan: plan ? presentPlan(plan, ctx.payments) : offer,
    currentSubscription: presentCurrentSubscription(current, ctx.payments, now),
    subscriptionPlan: offer,
    provider: ctx.payments.name,
  };
}

async function planOnOffer(ctx: Context): Promise<Plan> {
  const plan = await findPlan(ctx, premiumPlan.id);
  return plan ? presentPlan(plan, ctx.payments) : premiumPlan;
}
