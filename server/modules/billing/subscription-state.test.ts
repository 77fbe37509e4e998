import { describe, expect, test } from 'vitest';
import type { ProviderSubscription } from '#server/connectors/payments/port.ts';
import { decideSubscription, isOpenAt, isSameOrder, statusAt } from './subscription-state.ts';

const now = new Date('2026-03-10T12:00:00.000Z');
const days = (count: number) => new Date(now.getTime() + count * 86_400_000);

const known = { created_at: days(-40), started_at: days(-39), paid_until: null };
const truth: ProviderSubscription = {
  orderId: 'order',
  state: 'active',
  stateSince: days(-39),
  accountId: 7,
  planId: 1,
  startedAt: days(-39),
  nextPaymentAt: days(20),
  paidUntil: days(20),
  paymentFailedAt: null,
};

describe('what the provider says and the clock decide', () => {
  const ended = { nextPaymentAt: null, state: 'cancelled' } as const;
  test.each<
    [
      string,
      Partial<ProviderSubscription> | undefined,
      Partial<typeof known> | object,
      string,
      Date | string | null,
      Date | null,
    ]
  >([
    ['an active one renews', {}, {}, 'active', 'infinity', days(20)],
    ['an active one without a next payment is asked again', { nextPaymentAt: null }, {}, 'active', 'infinity', now],
    ['a payment that is late keeps it open', { nextPaymentAt: days(-1) }, {}, 'active', 'infinity', days(-1)],
    ['a fresh order waits', { state: 'approval_pending' }, { created_at: days(-1) }, 'pending', null, now],
    ['an old order is not asked about', { state: 'approval_pending' }, { created_at: days(-3) }, 'pending', null, null],
    ['approved, the first payment on its way', { state: 'approved', stateSince: days(-1) }, {}, 'active', days(2), now],
    ['approved, but never paid', { state: 'approved', stateSince: days(-3) }, {}, 'pending', days(0), now],
    ['a failed payment, in grace', { paymentFailedAt: days(-2.9) }, {}, 'past_due', days(0.1), now],
    ['a failed payment, grace over', { paymentFailedAt: days(-3) }, {}, 'suspended', days(0), now],
    ['suspended, in grace', { state: 'suspended', stateSince: days(-1) }, {}, 'past_due', days(2), now],
    ['suspended, grace over', { state: 'suspended', stateSince: days(-4) }, {}, 'suspended', days(-1), now],
    [
      'grace is not given twice',
      { state: 'suspended', stateSince: days(0), paymentFailedAt: days(-3.5) },
      {},
      'suspended',
      days(-0.5),
      now,
    ],
    ['cancelled within the paid period', { ...ended }, {}, 'cancelled', days(20), days(20)],
    ['cancelled, the period over', { ...ended, paidUntil: days(0) }, {}, 'expired', days(0), null],
    [
      'cancelled, the period known from before',
      { ...ended, paidUntil: null },
      { paid_until: days(5) },
      'cancelled',
      days(5),
      days(5),
    ],
    ['declined, never paid', { ...ended, paidUntil: null }, {}, 'expired', null, null],
    ['expired', { state: 'expired' }, {}, 'expired', null, null],
    ['unknown to the provider', undefined, {}, 'expired', null, null],
    ['unknown to the provider, but paid for', undefined, { paid_until: days(5) }, 'cancelled', days(5), days(5)],
  ])('%s', (_name, change, knownChange, status, accessUntil, nextCheckAt) => {
    const state = decideSubscription(change && { ...truth, ...change }, { ...known, ...knownChange }, now);
    expect(state).toMatchObject({ status, access_until: accessUntil, next_check_at: nextCheckAt });
  });

  test('what the provider forgot stays as it was known', () => {
    const state = decideSubscription(undefined, { ...known, paid_until: days(5) }, now);
    expect(state).toMatchObject({ started_at: known.started_at, paid_until: days(5), next_payment_at: null });
  });
});

test.each([
  ['active', Infinity, 'active', true],
  ['active', days(0), 'pending', false],
  ['past_due', days(1), 'past_due', true],
  ['past_due', days(0), 'suspended', false],
  ['cancelled', days(1), 'cancelled', true],
  ['cancelled', days(0), 'expired', false],
  ['pending', null, 'pending', false],
  ['expired', days(-1), 'expired', false],
] as const)('%s with access until %s is %s by now', (status, accessUntil, statusNow, isOpen) => {
  expect(statusAt({ status, access_until: accessUntil }, now)).toBe(statusNow);
  expect(isOpenAt(accessUntil, now)).toBe(isOpen);
});

test.each([
  ['the same', {}, true],
  ['another plan', { planId: 2 }, false],
  ['a plan that is not ours', { planId: null }, false],
  ['another account', { accountId: 8 }, false],
  ['an account that was not told', { accountId: null }, true],
])('%s: is it the order that the account took out', (_name, change, expected) => {
  expect(isSameOrder({ ...truth, ...change }, { account_id: 7, plan_id: 1 })).toBe(expected);
});
