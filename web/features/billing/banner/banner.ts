import type { CurrentSubscription, Subscription } from '#contracts/billing.ts';

/**
 * A notice that a user with access sees on every page:
 * - `payment_failed`: access ends unless the payment is made up for;
 * - `payment_awaited`: approved, the first payment is on its way;
 * - `trial`: sandbox numbers can be tried, nothing is paid for;
 * - `access_ends`: cancelled. `isHarmless` while the end is days away.
 */
export type Banner = { until: string } & (
  | { kind: 'payment_failed' | 'payment_awaited' | 'trial' }
  | { kind: 'access_ends'; isHarmless: boolean; canResume: boolean }
);

const soonMs = 3 * 86_400_000;

export function bannerFor(subscription: Subscription, now: number): Banner | undefined {
  const { status, hasActiveSubscription, currentSubscription: current } = subscription;
  if (subscription.trial_ends_at) return { kind: 'trial', until: subscription.trial_ends_at };
  if (!hasActiveSubscription || !current?.access_ends_at) return undefined;
  const until = current.access_ends_at;
  if (status === 'past_due') return { kind: 'payment_failed', until };
  if (status === 'active') return { kind: 'payment_awaited', until };
  return status === 'cancelled' ? endOf(current, until, now) : undefined;
}

function endOf({ can_resume: canResume }: CurrentSubscription, until: string, now: number): Banner {
  return { kind: 'access_ends', until, canResume, isHarmless: Date.parse(until) - now > soonMs };
}
