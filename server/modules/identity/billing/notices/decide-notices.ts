import type { SubscriptionStatus } from '#contracts/billing.ts';
import { isOpenAt } from '../status-at.ts';
import type { NoticeOccasion } from '../tables.ts';

type AccessUntil = Date | number | null;

type KnownStatus = { status: SubscriptionStatus };
type NewStatus = KnownStatus & { access_until: AccessUntil; payment_failed_at: Date | null };

export type SubscriptionChange = {
  /** The subscription as it was written down before, and now. */
  before: KnownStatus;
  after: NewStatus;
  /** The account's access, which the latest of its subscriptions gives. */
  access: { before: AccessUntil; after: AccessUntil };
  now: Date;
};

/** `occurredAt` distinguishes one occasion from the next of its kind. */
export type Notice = { occasion: NoticeOccasion; occurredAt: Date; accessEndsAt: Date | null };

/** The notices that a change calls for. Access that another subscription keeps open calls for none. */
export function decideNotices({ before, after, access, now }: SubscriptionChange): Notice[] {
  const isOpen = isOpenAt(access.after, now);
  if (isOpen) {
    if (access.before instanceof Date && !isOpenAt(access.before, now)) {
      return [{ occasion: 'welcome_back', occurredAt: access.before, accessEndsAt: null }];
    }
    return worries(before, after, access.after);
  }
  // By the clock alone access ends without anybody writing it down: the status that is written still says open.
  const wasOpen = before.status === 'active' || before.status === 'past_due' || before.status === 'cancelled';
  if (!wasOpen) return [];
  const endedAt = after.access_until instanceof Date ? after.access_until : now;
  return [{ occasion: 'access_ended', occurredAt: endedAt, accessEndsAt: endedAt }];
}

function worries(before: KnownStatus, after: NewStatus, accountUntil: AccessUntil): Notice[] {
  const accessEndsAt = after.access_until;
  if (!(accessEndsAt instanceof Date) || accountUntil?.valueOf() !== accessEndsAt.getTime()) return [];
  if (after.status === 'past_due' && after.payment_failed_at && before.status !== 'past_due') {
    return [{ occasion: 'payment_failed', occurredAt: after.payment_failed_at, accessEndsAt }];
  }
  if (after.status === 'cancelled' && before.status !== 'cancelled') {
    return [{ occasion: 'access_ends', occurredAt: accessEndsAt, accessEndsAt }];
  }
  return [];
}
