import type { SubscriptionStatus } from '#contracts/billing.ts';
import { endOfPeriod } from '#server/connectors/payments/months-later.ts';
import type { ProviderSubscription } from '#server/connectors/payments/port.ts';
import { assertNever } from '#server/platform/errors.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** How long access outlasts a failed payment, or an active subscription the first one that is on its way. */
const graceMs = 3 * dayMs;
/** PayPal drops an order that nobody approved after three days. */
const approvalPatienceMs = 3 * dayMs;
/** A lost notification is made up for within this time. */
const checkEveryMs = hourMs;
/** Before access ends the provider is asked once more: the payer may have settled it at the last moment. */
const lastCheckMs = 10 * 60_000;
/** Subscriptions undecided for so long are asked about once a day at the most. */
const hopeMs = 30 * dayMs;
/** A start that is no later than this begins now, whatever the two clocks say. */
const startToleranceMs = hourMs;

/** The stored facts of a subscription besides the provider's latest answer; the names are those of its columns. */
export type KnownSubscription = {
  created_at: Date;
  /** Until when the account was paid for when it took the order out; null: it is to be paid at once. */
  starts_at: Date | null;
  started_at: Date | null;
  paid_until: Date | null;
  last_paid_at: Date | null;
  payment_failed_at: Date | null;
  /** As it is read from the database, where `infinity` becomes the number; null when it never opened anything. */
  access_until: Date | number | null;
  /** How long a payment of its plan lasts. */
  duration_months: number;
};

/** The state to store of a subscription; the names are those of its columns. */
export type SubscriptionState = {
  status: SubscriptionStatus;
  started_at: Date | null;
  next_payment_at: Date | null;
  paid_until: Date | null;
  last_paid_at: Date | null;
  payment_failed_at: Date | null;
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
  const paidUntil = paidThrough(truth, known);
  const base = {
    started_at: truth?.startedAt ?? known.started_at,
    paid_until: paidUntil,
    last_paid_at: truth?.lastPaidAt ?? known.last_paid_at,
    payment_failed_at: null,
    next_payment_at: null,
  };
  if (!truth) return { ...base, ...forgotten(paidUntil, known, now) };

  switch (truth.state) {
    case 'approval_pending':
      return { ...base, status: 'pending', access_until: null, next_check_at: pendingCheck(known, now) };
    case 'approved':
      // Nothing is ever billed for it unless it becomes active: who has PayPal's buttons stop here owes nothing.
      return {
        ...base,
        status: 'pending',
        access_until: null,
        next_check_at: patientCheck(truth.stateSince, null, now),
      };
    case 'active':
      return { ...base, ...renewing(truth, { ...known, paid_until: paidUntil }, now) };
    case 'suspended':
      return {
        ...base,
        ...overdue(failedSince(truth, known) ?? truth.stateSince, { ...known, paid_until: paidUntil }, now),
      };
    case 'cancelled':
    case 'expired':
      return { ...base, ...ended(paidUntil, now) };
    default:
      return assertNever(truth.state);
  }
}

/**
 * The provider's own word, as long as it gives it; afterwards what it said last. A payment that came after that word,
 * and whose end it never told before the cancellation made it forget, bought one period more of the plan.
 */
function paidThrough(truth: ProviderSubscription | undefined, known: KnownSubscription): Date | null {
  if (truth?.paidUntil) return truth.paidUntil;
  const lastPaidAt = truth?.lastPaidAt;
  if (!lastPaidAt || (known.last_paid_at && lastPaidAt <= known.last_paid_at)) return known.paid_until;
  const start = known.paid_until ?? truth.startedAt ?? lastPaidAt;
  // Money may be taken a few hours before the period that it pays for.
  return endOfPeriod(start, known.duration_months, new Date(lastPaidAt.getTime() + dayMs));
}

type Decided = Pick<SubscriptionState, 'status' | 'access_until' | 'next_check_at'> & Partial<SubscriptionState>;

function renewing(truth: ProviderSubscription, known: KnownSubscription, now: Date): Decided {
  const failedAt = failedSince(truth, known);
  if (failedAt) return overdue(failedAt, known, now);
  const startsAt = truth.startedAt ?? truth.stateSince;
  if (!truth.lastPaidAt && startsAt <= now) return awaitingFirstPayment(startsAt, now);
  // A payer can choose in PayPal's buttons when a subscription begins to cost: until then it opens only the time
  // already paid for.
  const firstDueAt = Math.max(now.getTime(), known.starts_at?.getTime() ?? 0);
  if (!truth.lastPaidAt && startsAt.getTime() > firstDueAt + startToleranceMs) {
    return { status: 'pending', access_until: null, next_check_at: nextCheck(null, now) };
  }
  return {
    status: 'active',
    next_payment_at: truth.nextPaymentAt,
    access_until: 'infinity',
    next_check_at: nextCheck(null, now),
  };
}

/** Retries move the provider's time of the failure on; the grace counts from the first one. */
function failedSince(truth: ProviderSubscription, known: KnownSubscription): Date | null {
  const { paymentFailedAt, lastPaidAt } = truth;
  const { payment_failed_at: firstFailedAt } = known;
  const isSameDebt = firstFailedAt && !(lastPaidAt && lastPaidAt > firstFailedAt);
  if (!paymentFailedAt || !isSameDebt) return paymentFailedAt;
  return firstFailedAt < paymentFailedAt ? firstFailedAt : paymentFailedAt;
}

function awaitingFirstPayment(approvedAt: Date, now: Date): Decided {
  const accessUntil = new Date(approvedAt.getTime() + graceMs);
  const status = accessUntil > now ? 'active' : 'pending';
  return { status, access_until: accessUntil, next_check_at: nextCheck(accessUntil, now) };
}

/** Asked again at every chance: the payer may settle what is owed at any time. */
function overdue(since: Date, known: KnownSubscription, now: Date): Decided {
  const accessUntil = accessWhileOwing(since, known);
  return {
    status: accessUntil && accessUntil > now ? 'past_due' : 'suspended',
    payment_failed_at: since,
    access_until: accessUntil,
    next_check_at: patientCheck(since, accessUntil, now),
  };
}

/** Grace is for who has paid before: a first payment that fails buys nothing, and ends what was open for its sake. */
function accessWhileOwing(since: Date, known: KnownSubscription): Date | null {
  if (known.paid_until === null && known.starts_at === null) return known.access_until === null ? null : since;
  return new Date(Math.max(since.getTime() + graceMs, known.paid_until?.getTime() ?? 0));
}

function ended(paidUntil: Date | null, now: Date): Decided {
  if (!paidUntil || paidUntil <= now) return { status: 'expired', access_until: paidUntil, next_check_at: null };
  return { status: 'cancelled', access_until: paidUntil, next_check_at: paidUntil };
}

/**
 * A provider forgets no subscription that has begun, but knows none when it is asked in the name of another shop: it is
 * asked again, so that a wrong setting that is put right takes nothing from anybody.
 */
function forgotten(paidUntil: Date | null, known: KnownSubscription, now: Date): Decided {
  const since = paidUntil ?? known.started_at;
  const isHopeful = since !== null && now.getTime() - since.getTime() < hopeMs;
  return { ...ended(paidUntil, now), next_check_at: isHopeful ? nextCheck(paidUntil, now) : null };
}

/** Once a day where nothing has come of it for long. */
function patientCheck(since: Date, accessUntil: Date | null, now: Date): Date {
  return now.getTime() - since.getTime() < hopeMs ? nextCheck(accessUntil, now) : new Date(now.getTime() + dayMs);
}

function pendingCheck(known: KnownSubscription, now: Date): Date | null {
  return now.getTime() - known.created_at.getTime() < approvalPatienceMs ? nextCheck(null, now) : null;
}

/** Every hour, shortly before access ends and right after. */
function nextCheck(accessUntil: Date | null, now: Date): Date {
  const inAnHour = now.getTime() + checkEveryMs;
  if (!accessUntil || accessUntil <= now) return new Date(inAnHour);
  const beforeTheEnd = accessUntil.getTime() - lastCheckMs;
  const atTheEnd = beforeTheEnd > now.getTime() ? beforeTheEnd : accessUntil.getTime();
  return new Date(Math.min(inAnHour, atTheEnd));
}
