import type { SubscriptionStatus } from '#contracts/billing.ts';
import { assertNever } from '#server/platform/errors.ts';
import { isOpenAt } from '../status-at.ts';
import type { NoticeOccasion } from '../tables.ts';

/** How things stand when a mail goes out, which may be days after its cause. */
type Standing = { status: SubscriptionStatus; accountUntil: Date | number | null };

/** A late mail must not warn of what has been put right, nor announce an end to somebody who is back. */
export function isStillTrue(
  { occasion, accessEndsAt }: { occasion: NoticeOccasion; accessEndsAt: Date | null },
  { status, accountUntil }: Standing,
  now: Date,
): boolean {
  const isOpen = isOpenAt(accountUntil, now);
  const isItsEnd = isOpen && accountUntil?.valueOf() === accessEndsAt?.getTime();
  switch (occasion) {
    case 'payment_failed':
      return isItsEnd && status === 'past_due';
    case 'access_ends':
      return isItsEnd && status === 'cancelled';
    case 'access_ended':
    case 'phones_signed_out':
      return !isOpen;
    case 'welcome_back':
      return isOpen;
    default:
      return assertNever(occasion);
  }
}
