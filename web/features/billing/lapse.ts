import type { CurrentSubscription, Subscription } from '#contracts/billing.ts';

/**
 * Why access is over: a payment failed and the grace has passed; the first payment never came; the subscription ended;
 * it was paid for in test mode, on a server that takes money now; an earlier one ended, of which no more is known here.
 */
export type LapseReason = 'payment_failed' | 'payment_missing' | 'ended' | 'test_ended' | 'earlier';

/** `since` is null where that is not known. */
export type Lapse = { reason: LapseReason; since: string | null };

/** Undefined while access is open, and for an account that never had it. */
export function lapseOf(subscription: Subscription): Lapse | undefined {
  const { status, hasActiveSubscription, provider, currentSubscription: current } = subscription;
  if (hasActiveSubscription || current === null || hasNeverOpened(current)) return undefined;
  const { access_ends_at: since } = current;
  if (status === 'suspended') return { reason: 'payment_failed', since };
  if (status === 'expired') return { reason: current.provider === provider ? 'ended' : 'test_ended', since };
  return status === 'pending' && since !== null ? { reason: 'payment_missing', since } : undefined;
}

const dayMs = 86_400_000;

/** A first payment that fails buys nothing: access ends where it began, if it began. Any other lasts for days. */
export function hasNeverOpened({ status, started_at: start, access_ends_at: end }: CurrentSubscription): boolean {
  if (end === null) return status === 'suspended';
  return start !== null && Date.parse(end) - Date.parse(start) < dayMs;
}
