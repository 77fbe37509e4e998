import type { AccountContext, Context } from '#server/context.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { canBeResumed } from '../present.ts';
import { findCurrentSubscription } from '../queries.ts';
import type { SubscriptionRow } from '../queries.ts';
import { isOpenAt } from '../status-at.ts';

/** A shorter rest of a period gets no start time of its own: PayPal requires one in the future. */
const leastMs = 10 * 60_000;

/**
 * When a new subscription begins to cost: at once (null), or when the period ends that a subscription, cancelled for
 * good, has paid for. Throws 409 while another one renews, or can be resumed.
 */
export async function deferredStart(ctx: AccountContext): Promise<Date | null> {
  const current = await findCurrentSubscription(ctx, ctx.account.id);
  const now = ctx.clock.now();
  if (!current || !isOpenAt(current.access_until, now)) return null;
  if (current.status !== 'cancelled') {
    throw new ConflictError('already_subscribed', 'You already have an active subscription');
  }
  if (canBeResumed(current, ctx.payments)) {
    throw new ConflictError('already_subscribed', 'Your subscription has not ended yet. Resume it instead.');
  }
  // A provider whose cancellations can be taken back knows no later start.
  return ctx.payments.resume ? null : paidAheadUntil(current, now);
}

/** As `deferredStart`, for an order that is there already: who renews is owed no later start. */
export async function agreedStart(ctx: Context, accountId: number): Promise<Date | null> {
  const current = await findCurrentSubscription(ctx, accountId);
  return current?.status === 'cancelled' ? paidAheadUntil(current, ctx.clock.now()) : null;
}

function paidAheadUntil({ access_until: until }: SubscriptionRow, now: Date): Date | null {
  return until instanceof Date && until.getTime() - now.getTime() > leastMs ? until : null;
}
