import { expect, test } from 'vitest';
import { testPaymentsOf, testSubscriptionAt } from './test.ts';

const at = (text: string) => new Date(`${text}Z`);
const order = {
  order_id: 'TEST-1',
  request_id: 'request',
  account_id: 7,
  payment_reference: 'account',
  plan_id: 1,
  price_cents: 999,
  duration_months: 1,
  approved_at: null,
  declined_at: null,
  cancelled_at: null,
  created_at: at('2026-01-31T08:00'),
};
const approved = { ...order, approved_at: at('2026-01-31T09:00') };
const cancelled = { ...approved, cancelled_at: at('2026-02-10T00:00') };

test.each([
  ['waiting', order, '2026-01-31T09:00', 'approval_pending', null, null],
  ['declined', { ...order, declined_at: at('2026-01-31T09:00') }, '2026-02-01T00:00', 'cancelled', null, null],
  ['approved just now', approved, '2026-01-31T09:00', 'active', '2026-02-28T09:00', '2026-02-28T09:00'],
  ['renewed at the end of the month', approved, '2026-02-28T09:00', 'active', '2026-03-31T09:00', '2026-03-31T09:00'],
  ['renewed a year on', approved, '2027-02-01T00:00', 'active', '2027-02-28T09:00', '2027-02-28T09:00'],
  ['cancelled in the first period', cancelled, '2026-02-11T00:00', 'cancelled', '2026-02-28T09:00', null],
  ['cancelled long ago', cancelled, '2026-09-01T00:00', 'cancelled', '2026-02-28T09:00', null],
] as const)('%s', (_name, known, now, state, paidUntil, nextPaymentAt) => {
  expect(testSubscriptionAt(known, at(now))).toMatchObject({
    state,
    paidUntil: paidUntil && at(paidUntil),
    nextPaymentAt: nextPaymentAt && at(nextPaymentAt),
    accountReference: 'account',
    providerPlanId: 'TEST-PLAN-1',
    paymentFailedAt: null,
  });
});

test.each([
  ['waiting', order, '2026-03-01T00:00', []],
  ['declined', { ...order, declined_at: at('2026-01-31T09:00') }, '2026-03-01T00:00', []],
  ['approved', approved, '2026-01-31T09:00', ['2026-01-31T09:00']],
  ['renewed', approved, '2026-03-31T09:00', ['2026-01-31T09:00', '2026-02-28T09:00', '2026-03-31T09:00']],
  ['cancelled', cancelled, '2026-09-01T00:00', ['2026-01-31T09:00']],
] as const)('the payments of an order that is %s', (_name, known, now, times) => {
  const payments = testPaymentsOf(known, at(now));
  expect(payments.map(({ paidAt }) => paidAt)).toEqual(times.map(at));
  expect(new Set(payments.map(({ id }) => id)).size).toBe(times.length);
  for (const payment of payments) {
    expect(payment).toMatchObject({ amountCents: 999, currency: 'USD', status: 'completed' });
  }
  expect(testSubscriptionAt(known, at(now)).lastPaidAt).toEqual(payments.at(-1)?.paidAt ?? null);
});
