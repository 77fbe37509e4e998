import { expect, test } from 'vitest';
import type { ProviderSubscription } from '#server/connectors/payments/port.ts';
import { isSameOrder } from './is-same-order.ts';

const truth: ProviderSubscription = {
  orderId: 'order',
  state: 'active',
  stateSince: new Date(),
  accountReference: 'me',
  providerPlanId: 'P-1',
  startedAt: new Date(),
  nextPaymentAt: null,
  paidUntil: null,
  lastPaidAt: null,
  paymentFailedAt: null,
};

test.each([
  ['the same', {}, true],
  ['another plan', { providerPlanId: 'P-2' }, false],
  ['a plan on other terms', { providerPlanId: null }, false],
  ['another account', { accountReference: 'you' }, false],
  ['an account that was not told', { accountReference: null }, true],
])('%s: is it the order that the account took out', (_name, change, expected) => {
  expect(isSameOrder({ ...truth, ...change }, { payment_reference: 'me', provider_plan_id: 'P-1' })).toBe(expected);
});
