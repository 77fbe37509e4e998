import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteAccount, keepAccount } from '#contracts/account-data.ts';
import { cancelSubscription, captureOrder, createOrder, resumeSubscription } from '#contracts/billing.ts';
import { deleteDueAccounts } from '#server/modules/outreach/account-data/index.ts';
import { signUp } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { dayMs, payer, placeOrder, planId, startPayPalProduct, subscriptionOf } from '#tests/support/paypal-product.ts';
import type { PayPalProduct } from '#tests/support/paypal-product.ts';
import type { Subscription } from '#tests/paypal/subscription.ts';

let product: PayPalProduct;
beforeAll(async () => {
  product = await startPayPalProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

/** A customer who has ordered and not yet approved. */
async function orderer(): Promise<{ customer: Customer; subscription: Subscription }> {
  const customer = await signUp(product.app.url);
  const { orderId = '' } = await placeOrder(customer);
  await product.pass(1000);
  return { customer, subscription: product.paypal.ledger.get(orderId) };
}

const suspended = { status: 403, body: { code: 'account_suspended' } };

test('an account that is to be deleted takes out no subscription, and an owner who keeps it can again', async () => {
  const customer = await payer(product);
  const { api } = customer;
  await api.call(deleteAccount);
  expect(customer.subscription.status).toBe('CANCELLED');
  expect(await api.refuse(createOrder, { body: { planId } })).toMatchObject(suspended);
  expect(await api.refuse(resumeSubscription)).toMatchObject(suspended);
  await api.call(keepAccount);
  expect((await api.call(createOrder, { body: { planId } })).body.startsAt).not.toBeNull();
});

test('an order that is approved after the deletion was asked for is cancelled at PayPal', async () => {
  const { customer, subscription } = await orderer();
  await customer.api.call(deleteAccount);
  product.paypal.ledger.approve(subscription);
  await product.pass(1000);
  expect(subscription.status).toBe('CANCELLED');
  // Paid for is paid for, should the account be kept.
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'cancelled', hasActiveSubscription: true });
});

test('so it is by the capture, and by the reconciliation where the event was lost', async () => {
  product.paypal.notifications.faults.areLost = true;
  const captured = await orderer();
  await captured.customer.api.call(deleteAccount);
  product.paypal.ledger.approve(captured.subscription);
  await captured.customer.api.call(captureOrder, { body: { orderId: captured.subscription.id, planId } });
  expect(captured.subscription.status).toBe('CANCELLED');

  const unseen = await orderer();
  product.paypal.ledger.approve(unseen.subscription);
  await unseen.customer.api.call(deleteAccount);
  product.paypal.notifications.faults.areLost = false;
  product.clock.advance(dayMs);
  await product.reconcile();
  expect(unseen.subscription.status).toBe('CANCELLED');
});

test('an order that is approved after the account is gone is cancelled, and its payment refunded', async () => {
  const early = await payer(product);
  const { customer, subscription } = await orderer();
  for (const { api } of [early, customer]) await api.call(deleteAccount);
  await product.pass(14 * dayMs);
  await deleteDueAccounts(product.app.ctx);
  await product.pass(1000);
  product.paypal.ledger.approve(subscription);
  // A payment from before the deletion stays, whatever PayPal tells of its subscription afterwards.
  product.paypal.ledger.cancel(early.subscription);
  await product.pass(1000);
  expect(subscription.status).toBe('CANCELLED');
  expect(subscription.transactions.map(({ status }) => status)).toEqual(['REFUNDED']);
  expect(early.subscription.transactions.map(({ status }) => status)).toEqual(['COMPLETED']);
});

test('a subscription whose first payment has not come can be cancelled, and a deletion cancels it', async () => {
  const late = async () => {
    const { customer, subscription } = await orderer();
    product.paypal.ledger.approve(subscription, { isPaymentPending: true });
    subscription.nextBillingAt = new Date(product.clock.now().getTime() + 20 * dayMs);
    return { ...customer, subscription };
  };
  const [canceller, deleter] = [await late(), await late()];
  await product.pass(4 * dayMs);
  await product.reconcile();
  expect(await subscriptionOf(canceller)).toMatchObject({ status: 'pending', hasActiveSubscription: false });
  expect((await canceller.api.call(cancelSubscription)).body).toMatchObject({ hasActiveSubscription: false });
  await deleter.api.call(deleteAccount);
  expect([canceller.subscription.status, deleter.subscription.status]).toEqual(['CANCELLED', 'CANCELLED']);
});

test('an order that nobody approved is nothing to cancel', async () => {
  const { customer } = await orderer();
  expect(await customer.api.refuse(cancelSubscription)).toMatchObject({
    status: 409,
    body: { code: 'not_subscribed' },
  });
});
