import { describe, expect, test } from 'vitest';
import type { ProviderSubscription } from '#server/connectors/payments/port.ts';
import { decideSubscription } from './subscription-state.ts';
import type { KnownSubscription } from './subscription-state.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
const soon = days(1 / 24);
const known: KnownSubscription = {
  created_at: days(-40),
  starts_at: null,
  started_at: days(-39),
  paid_until: null,
  last_paid_at: null,
  payment_failed_at: null,
  access_until: null,
  duration_months: 1,
};
const truth: ProviderSubscription = {
  orderId: 'order',
  state: 'active',
  stateSince: days(-39),
  accountReference: 'me',
  providerPlanId: 'P-1',
  startedAt: days(-39),
  nextPaymentAt: days(20),
  paidUntil: days(20),
  lastPaidAt: days(-8),
  paymentFailedAt: null,
};

type Row = [
  string,
  Partial<ProviderSubscription> | undefined,
  Partial<KnownSubscription>,
  string,
  Date | string | null,
  Date | null,
];

/** As the provider tells of a debt: it says no longer until when it is paid. */
const owing = (since: number) => ({ paymentFailedAt: days(since), paidUntil: null });
const paidBefore = { paid_until: days(-3), last_paid_at: days(-8) };
const neverPaid = { lastPaidAt: null, paidUntil: null };

describe('deciding the state from the provider’s answer and the time', () => {
  test.each<Row>([
    ['an active one renews', {}, {}, 'active', 'infinity', soon],
    ['an active one without a next payment goes on', { nextPaymentAt: null }, {}, 'active', 'infinity', soon],
    ['a payment that is late keeps it open', { nextPaymentAt: days(-1) }, {}, 'active', 'infinity', soon],
    [
      'a fresh order waits',
      { state: 'approval_pending', ...neverPaid },
      { created_at: days(-1) },
      'pending',
      null,
      soon,
    ],
    ['an old order is not asked about', { state: 'approval_pending', ...neverPaid }, {}, 'pending', null, null],
    [
      'approved, but not active, opens nothing',
      { state: 'approved', stateSince: days(-1), ...neverPaid },
      {},
      'pending',
      null,
      soon,
    ],
    [
      'approved long ago is asked about daily',
      { state: 'approved', stateSince: days(-31), ...neverPaid },
      {},
      'pending',
      null,
      days(1),
    ],
    ['active, the first payment on its way', { startedAt: days(-1), ...neverPaid }, {}, 'active', days(2), soon],
    ['active, but never paid', { startedAt: days(-3), ...neverPaid }, {}, 'pending', days(0), soon],
    [
      'a first payment that failed buys nothing',
      { startedAt: days(-1), ...neverPaid, ...owing(-0.5) },
      {},
      'suspended',
      null,
      soon,
    ],
    [
      'a first payment that failed ends what was open for its sake',
      { startedAt: days(-1), ...neverPaid, ...owing(-0.5) },
      { access_until: days(2) },
      'suspended',
      days(-0.5),
      soon,
    ],
    ['to begin later than agreed opens nothing', { startedAt: days(9), ...neverPaid }, {}, 'pending', null, soon],
    [
      'to begin when the paid period ends, as agreed',
      { startedAt: days(9), ...neverPaid },
      { starts_at: days(9) },
      'active',
      'infinity',
      soon,
    ],
    [
      'to begin after the paid period ends opens nothing',
      { startedAt: days(12), ...neverPaid },
      { starts_at: days(9) },
      'pending',
      null,
      soon,
    ],
    [
      'begun as agreed, the first payment failed: in grace, as for any payment',
      { startedAt: days(-1), ...neverPaid, ...owing(-1) },
      { starts_at: days(-1) },
      'past_due',
      days(2),
      soon,
    ],
    ['a failed payment, in grace', owing(-2), paidBefore, 'past_due', days(1), soon],
    [
      'a failed payment, asked once more before grace ends',
      owing(-2.98),
      paidBefore,
      'past_due',
      days(0.02),
      days(0.02 - 1 / 144),
    ],
    ['a failed payment, asked at the end of grace', owing(-2.999), paidBefore, 'past_due', days(0.001), days(0.001)],
    ['a failed payment, grace over', owing(-3), paidBefore, 'suspended', days(0), soon],
    [
      'a retry that fails gives no new grace',
      owing(0),
      { ...paidBefore, payment_failed_at: days(-2) },
      'past_due',
      days(1),
      soon,
    ],
    [
      'a debt that was paid is not the next one',
      { ...owing(-1), lastPaidAt: days(-8) },
      { ...paidBefore, payment_failed_at: days(-9) },
      'past_due',
      days(2),
      soon,
    ],
    [
      'a debt of long ago is asked about daily',
      { ...owing(-31), lastPaidAt: days(-62) },
      { paid_until: days(-31), last_paid_at: days(-62) },
      'suspended',
      days(-28),
      days(1),
    ],
    [
      'suspended, in grace',
      { state: 'suspended', stateSince: days(-1), paidUntil: null },
      paidBefore,
      'past_due',
      days(2),
      soon,
    ],
    [
      'suspended, grace over',
      { state: 'suspended', stateSince: days(-4), paidUntil: null },
      paidBefore,
      'suspended',
      days(-1),
      soon,
    ],
    [
      'suspended after failures: grace is not given twice',
      { state: 'suspended', stateSince: days(0), ...owing(-3.5) },
      paidBefore,
      'suspended',
      days(-0.5),
      soon,
    ],
    [
      'suspended by hand: what is paid for stays open',
      { state: 'suspended', stateSince: days(-10), paidUntil: null },
      { paid_until: days(4), last_paid_at: days(-8) },
      'past_due',
      days(4),
      soon,
    ],
    ['cancelled within the paid period', { state: 'cancelled' }, {}, 'cancelled', days(20), days(20)],
    ['cancelled, the period over', { state: 'cancelled', paidUntil: days(0) }, {}, 'expired', days(0), null],
    [
      'cancelled, the period known from before',
      { state: 'cancelled', paidUntil: null },
      { paid_until: days(5), last_paid_at: days(-8) },
      'cancelled',
      days(5),
      days(5),
    ],
    ['declined, never paid', { state: 'cancelled', ...neverPaid, startedAt: null }, {}, 'expired', null, null],
    ['expired', { state: 'expired', paidUntil: null }, paidBefore, 'expired', days(-3), null],
    ['unknown to the provider', undefined, {}, 'expired', null, null],
    // The question may have been asked in another shop's name: a provider forgets nobody who has paid.
    ['unknown to the provider, but paid for', undefined, { paid_until: days(5) }, 'cancelled', days(5), soon],
    ['unknown to the provider, paid for until lately', undefined, { paid_until: days(-5) }, 'expired', days(-5), soon],
    ['unknown to the provider for a month', undefined, { paid_until: days(-30) }, 'expired', days(-30), null],
    ['an order unknown to the provider', undefined, { started_at: null }, 'expired', null, null],
  ])('%s', (_name, change, knownChange, status, accessUntil, nextCheckAt) => {
    const state = decideSubscription(change && { ...truth, ...change }, { ...known, ...knownChange }, now);
    expect(state).toMatchObject({ status, access_until: accessUntil, next_check_at: nextCheckAt });
  });

  test('a subscription that the provider forgot keeps its last known state', () => {
    const state = decideSubscription(undefined, { ...known, paid_until: days(5), last_paid_at: days(-8) }, now);
    expect(state).toMatchObject({
      started_at: known.started_at,
      paid_until: days(5),
      last_paid_at: days(-8),
      next_payment_at: null,
    });
  });

  test.each<[string, Partial<ProviderSubscription>, Partial<KnownSubscription>, string]>([
    [
      'by a payer whose first payment we never heard of',
      { startedAt: new Date('2026-02-20T15:00:00Z'), lastPaidAt: new Date('2026-02-20T15:01:00Z') },
      {},
      '2026-03-20T15:00:00.000Z',
    ],
    [
      'after a renewal that we never heard of',
      { lastPaidAt: new Date('2026-03-09T10:07:00Z') },
      { paid_until: new Date('2026-03-09T10:00:00Z'), last_paid_at: new Date('2026-02-09T10:03:00Z') },
      '2026-04-09T10:00:00.000Z',
    ],
    [
      'after a renewal that was taken a little early',
      { lastPaidAt: new Date('2026-03-09T06:00:00Z') },
      { paid_until: new Date('2026-03-09T10:00:00Z'), last_paid_at: new Date('2026-02-09T10:03:00Z') },
      '2026-04-09T10:00:00.000Z',
    ],
    [
      'after the payment whose end the provider has told',
      { lastPaidAt: new Date('2026-02-12T10:07:00Z') },
      { paid_until: new Date('2026-03-11T10:00:00Z'), last_paid_at: new Date('2026-02-12T10:07:00Z') },
      '2026-03-11T10:00:00.000Z',
    ],
  ])('cancelled at the provider, %s', (_name, change, knownChange, paidUntil) => {
    const cancelled = { ...truth, state: 'cancelled' as const, nextPaymentAt: null, paidUntil: null, ...change };
    const state = decideSubscription(cancelled, { ...known, ...knownChange }, now);
    expect(state).toMatchObject({ status: 'cancelled', access_until: new Date(paidUntil) });
  });
});
