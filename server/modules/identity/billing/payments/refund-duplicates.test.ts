import { afterAll, beforeAll, expect, test } from 'vitest';
import { cancelSubscription, captureOrder } from '#contracts/billing.ts';
import {
  dayMs,
  patience,
  payWith,
  payer,
  paymentsOf,
  placeOrder,
  planId,
  startPayPalProduct,
  subscriptionOf,
} from '#tests/support/paypal-product.ts';
import type { PayPalProduct, Payer } from '#tests/support/paypal-product.ts';
import { signUp } from '#tests/support/customer.ts';

let product: PayPalProduct;
beforeAll(async () => {
  product = await startPayPalProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const statusesOf = async (customer: Payer) => (await paymentsOf(customer)).map(({ status }) => status);

/** Somebody who has approved an order in an old tab beside the one that they pay with. */
async function paidTwice(): Promise<Payer> {
  const customer = await signUp(product.app.url);
  const { orderId = '' } = await placeOrder(customer);
  product.clock.advance(2.5 * 3_600_000);
  const paid = await payWith(product, customer);
  product.clock.advance(60_000);
  product.paypal.ledger.approve(product.paypal.ledger.get(orderId));
  await customer.api.call(captureOrder, { body: { orderId, planId } });
  await product.pass(1000);
  await expect.poll(() => statusesOf(paid), patience).toEqual(['completed', 'completed']);
  return paid;
}

test('a second payment for the same time is refunded once, and access stays', async () => {
  const customer = await paidTwice();
  await product.reconcile();
  await product.reconcile();
  expect(await statusesOf(customer)).toEqual(['completed', 'refunded']);
  expect(customer.subscription).toMatchObject({ status: 'CANCELLED', transactions: [{ status: 'REFUNDED' }] });
  expect(product.paypal.requests.filter((request) => request.endsWith('/refund'))).toHaveLength(1);
  await product.pass(1000);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'active', hasActiveSubscription: true });
  expect(await statusesOf(customer)).toEqual(['completed', 'refunded']);
});

test('while PayPal gives nothing back it is tried again', async () => {
  const customer = await paidTwice();
  Object.assign(product.paypal.faults, { outage: 503, where: /refund/ });
  await product.reconcile();
  expect(await statusesOf(customer)).toEqual(['completed', 'completed']);
  product.paypal.faults.outage = 'none';
  await product.reconcile();
  expect(await statusesOf(customer)).toEqual(['completed', 'refunded']);
});

test('payments of another day, or by somebody else, are not refunded', async () => {
  const customer = await payer(product);
  const other = await payer(product);
  await customer.api.call(cancelSubscription);
  await product.pass(1000);
  await expect.poll(() => statusesOf(other), patience).toEqual(['completed']);
  await product.reconcile();
  expect(await statusesOf(customer)).toEqual(['completed']);

  await product.pass(2 * dayMs);
  const { custom_id = '' } = customer.subscription.request;
  const { id: orderId } = product.paypal.approveWithButtons({ custom_id });
  await customer.api.call(captureOrder, { body: { orderId, planId } });
  await product.pass(1000);
  await expect.poll(() => statusesOf(customer), patience).toEqual(['completed', 'completed']);
  await product.reconcile();
  expect(await statusesOf(customer)).toEqual(['completed', 'completed']);
});
