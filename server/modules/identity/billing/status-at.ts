import type { SubscriptionStatus } from '#contracts/billing.ts';

/** `accessUntil` as it is read from the database, where `infinity` becomes the number. */
export function isOpenAt(accessUntil: Date | number | null, now: Date): boolean {
  return accessUntil !== null && accessUntil.valueOf() > now.getTime();
}

/** The status as it is now: what the clock alone has changed since the provider was last asked. */
export function statusAt(
  subscription: { status: SubscriptionStatus; access_until: Date | number | null },
  now: Date,
): SubscriptionStatus {
  const { status } = subscription;
  if (isOpenAt(subscription.access_until, now)) return status;
  if (status === 'active') return 'pending';
  if (status === 'past_due') return 'suspended';
  if (status === 'cancelled') return 'expired';
  return status;
}
