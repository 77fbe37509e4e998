import { expect, test } from 'vitest';
import { SubscriptionAnswer, readSubscription } from './subscription-answer.ts';

const now = new Date('2026-03-20T12:00:00Z');
const usd = (value: string) => ({ currency_code: 'USD', value });
const paid = { amount: usd('9.99'), time: '2026-03-13T10:12:55Z' };

const billing = {
  outstanding_balance: usd('0.0'),
  last_payment: paid,
  next_billing_time: '2026-04-13T10:00:00Z',
  failed_payments_count: 0,
};
const active = {
  id: 'I-BW452GLLEP1G',
  status: 'ACTIVE',
  status_update_time: '2026-01-13T12:57:00Z',
  plan_id: 'P-5ML4271244454362WXNWU5NQ',
  plan_overridden: false,
  custom_id: 'me',
  start_time: '2026-01-13T12:56:14Z',
  create_time: '2026-01-13T12:55:00Z',
  quantity: '1',
  billing_info: billing,
};
const failedBefore = { amount: usd('9.99'), time: '2026-03-08T10:00:00Z' };
const failedSince = { amount: usd('9.99'), time: '2026-03-18T10:00:00Z' };

const read = (answer: object) => readSubscription(SubscriptionAnswer.parse(answer), now);

test('an active one, as PayPal answers it', () => {
  expect(read(active)).toEqual({
    orderId: 'I-BW452GLLEP1G',
    state: 'active',
    stateSince: new Date('2026-01-13T12:57:00Z'),
    accountReference: 'me',
    providerPlanId: 'P-5ML4271244454362WXNWU5NQ',
    startedAt: new Date('2026-01-13T12:56:14Z'),
    nextPaymentAt: new Date('2026-04-13T10:00:00Z'),
    paidUntil: new Date('2026-04-13T10:00:00Z'),
    lastPaidAt: new Date('2026-03-13T10:12:55Z'),
    paymentFailedAt: null,
  });
});

test.each<[string, object, object]>([
  ['none for nobody', { custom_id: undefined }, { accountReference: null }],
  ['other terms than the plan has', { plan_overridden: true }, { providerPlanId: null }],
  [
    'an order that waits has not begun',
    { status: 'APPROVAL_PENDING', billing_info: undefined },
    { state: 'approval_pending', startedAt: null, nextPaymentAt: null, paidUntil: null },
  ],
  [
    'nothing is paid before the first payment',
    { billing_info: { ...billing, last_payment: undefined } },
    { lastPaidAt: null, paidUntil: null, paymentFailedAt: null, nextPaymentAt: new Date(billing.next_billing_time) },
  ],
  [
    'cancelled: PayPal forgets the next payment',
    { status: 'CANCELLED', billing_info: { ...billing, next_billing_time: undefined } },
    { state: 'cancelled', nextPaymentAt: null, paidUntil: null, lastPaidAt: new Date(paid.time) },
  ],
  [
    'cancelled before it was ever paid',
    { status: 'CANCELLED', billing_info: undefined },
    { state: 'cancelled', startedAt: null, lastPaidAt: null },
  ],
  [
    'a payment failed, and PayPal still calls it active',
    { billing_info: { ...billing, last_failed_payment: failedSince } },
    { state: 'active', paymentFailedAt: new Date(failedSince.time), paidUntil: null },
  ],
  [
    'a payment failed, and was made up for',
    { billing_info: { ...billing, last_failed_payment: failedBefore, outstanding_balance: usd('9.99') } },
    { paymentFailedAt: null, paidUntil: new Date(billing.next_billing_time) },
  ],
  [
    'a cycle counts as unpaid',
    { billing_info: { ...billing, last_failed_payment: failedBefore, failed_payments_count: 1 } },
    { paymentFailedAt: new Date(failedBefore.time) },
  ],
  [
    'a cycle counts as unpaid, nobody says since when',
    { billing_info: { ...billing, failed_payments_count: 1 } },
    { paymentFailedAt: now, paidUntil: null },
  ],
  ['something is owed', { billing_info: { ...billing, outstanding_balance: usd('9.99') } }, { paymentFailedAt: now }],
  [
    'the first payment is owed and on its way',
    { billing_info: { outstanding_balance: usd('9.99') } },
    { paymentFailedAt: null },
  ],
  ['suspended', { status: 'SUSPENDED', status_update_time: '2026-03-19T00:00:00Z' }, { state: 'suspended' }],
  ['no time of the change', { status_update_time: undefined }, { stateSince: new Date(active.create_time) }],
])('%s', (_name, change, expected) => {
  expect(read({ ...active, ...change })).toMatchObject(expected);
});

test.each([{}, { ...active, status: 'SOMETHING' }, { ...active, billing_info: { next_billing_time: 'tomorrow' } }])(
  'an answer that makes no sense is not read',
  (answer) => {
    expect(SubscriptionAnswer.safeParse(answer).success).toBe(false);
  },
);
