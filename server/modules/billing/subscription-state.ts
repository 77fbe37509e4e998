import type { SubscriptionStatus } from '#contracts/billing.ts';
import type { ProviderSubscription } from '#server/connectors/payments/port.ts';
import { assertNever } from '#server/platform/errors.ts';

const dayMs = 86_400_000;
/** How long access outlasts a failed payment, or waits for the first one. */
const graceMs = 3 * dayMs;
/** PayPal drops an order that nobody approved after three days. */
const approvalPatienceMs = 3 * dayMs;

/** What is known of a subscription besides the provider's latest answer. */
export type KnownSubscription = { created_at: Date; started_at: Date | null; paid_until: Date | null };

/** What is written down of a subscription; the names are those of its columns. */
export type SubscriptionState = {
  status: SubscriptionStatus;
  started_at: Date | null;
  next_payment_at: Date | null;
  paid_until: Date | null;
  /** Until when it opens the product: `infinity` while it renews, null when it never did. */
  access_until: Date | 'infinity' | null;
  /** When to ask the provider again; null once nothing more can come of it. */
  next_check_at: Date | null;
};

/** The provider's answer and the clock decide; `truth` is undefined when the provider knows no such order. */
export function decideSubscription(
  truth: ProviderSubscription | undefined,
  known: KnownSubscription,
  now: Date,
): SubscriptionState {
  const paidUntil = truth?.paidUntil ?? known.paid_until;
  const base = { started_at: truth?.startedAt ?? known.started_at, paid_until: paidUntil, next_payment_at: null };
  if (!truth) return { ...base, ...ended(paidUntil, now) };

  switch (truth.state) {
    case 'approval_pending':
      return { ...base, status: 'pending', access_until: null, next_check_at: pendingCheck(known, now) };
    case 'approved':
      return { ...base, ...awaitingFirstPayment(truth.stateSince, now) };
    case 'active':
      if (truth.paymentFailedAt) return { ...base, ...overdue(truth.paymentFailedAt, now) };
      return {
        ...base,
        status: 'active',
        next_payment_at: truth.nextPaymentAt,
        access_until: 'infinity',
        next_check_at: truth.nextPaymentAt ?? now,
      };
    case 'suspended':
      // Suspension follows failed payments: the grace that ran since the first one is not given twice.
      return { ...base, ...overdue(truth.paymentFailedAt ?? truth.stateSince, now) };
    case 'cancelled':
      return { ...base, ...ended(paidUntil, now) };
    case 'expired':
      return { ...base, ...ended(null, now) };
    default:
      return assertNever(truth.state);
  }
}

type Decided = Pick<SubscriptionState, 'status' | 'access_until' | 'next_check_at'>;

function awaitingFirstPayment(approvedAt: Date, now: Date): Decided {
  const accessUntil = new Date(approvedAt.getTime() + graceMs);
  return { status: accessUntil > now ? 'active' : 'pending', access_until: accessUntil, next_check_at: now };
}

/** Asked again at every chance: the payer may settle what is owed at any time. */
function overdue(since: Date, now: Date): Decided {
  const accessUntil = new Date(since.getTime() + graceMs);
  return { status: accessUntil > now ? 'past_due' : 'suspended', access_until: accessUntil, next_check_at: now };
}

function ended(paidUntil: Date | null, now: Date): Decided {
  if (!paidUntil || paidUntil <= now) return { status: 'expired', access_until: paidUntil, next_check_at: null };
  return { status: 'cancelled', access_until: paidUntil, next_check_at: paidUntil };
}

function pendingCheck(known: KnownSubscription, now: Date): Date | null {
  return now.getTime() - known.created_at.getTime() < approvalPatienceMs ? now : null;
}

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

/**
 * Whether the provider's answer is about the order that the account took out: the plan is the one that was asked for
 * and nobody else's account was named.
 */
export function isSameOrder(truth: ProviderSubscription, order: { account_id: number; plan_id: number }): boolean {
  return truth.planId === order.plan_id && (truth.accountId ?? order.account_id) === order.account_id;
}
