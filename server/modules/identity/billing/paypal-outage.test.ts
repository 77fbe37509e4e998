import { randomBytes } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import { cancelSubscription, captureOrder, createOrder } from '#contracts/billing.ts';
import { createProject } from '#contracts/projects.ts';
import { PayPalStandIn } from '#tests/paypal/stand-in.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { signUp } from '#tests/support/customer.ts';
import {
  dayMs,
  payer,
  paymentsOf,
  patience,
  placeOrder,
  planId,
  startPayPalProduct,
  subscriptionOf,
} from '#tests/support/paypal-product.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { recordStalePayments } from './payments/record-payments.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';

const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).toReversed()) await step();
});

async function startProduct() {
  const product = await startPayPalProduct();
  cleanUp.push(() => product[Symbol.asyncDispose]());
  return product;
}

const unavailable = {
  status: 503,
  body: {
    code: 'payments_unavailable',
    message: 'Payments cannot be reached right now. Try again in a moment.',
  },
};

test.each(['refused', 500, 429, 'nonsense'] as const)(
  'while PayPal is away (%s) payers are told, and nothing else is disturbed or lost',
  async (outage) => {
    const product = await startProduct();
    const customer = await payer(product);
    const newcomer = await signUp(product.app.url);
    await product.pass(1000);
    await expect.poll(() => paymentsOf(customer), patience).toHaveLength(1);
    const before = await subscriptionOf(customer);
    product.paypal.faults.outage = outage;
    const refusals = [
      await newcomer.api.refuse(createOrder, { body: { planId } }),
      await customer.api.refuse(captureOrder, { body: { orderId: customer.orderId, planId } }),
      await customer.api.refuse(cancelSubscription),
    ];
    for (const refusal of refusals) {
      expect(refusal).toMatchObject(unavailable);
      expect(refusal.headers.get('retry-after')).toBe('10');
    }
    await product.pass(5 * dayMs);
    await product.reconcile();
    expect(await subscriptionOf(customer)).toEqual(before);
    expect((await customer.api.call(createProject, { body: { name: 'Shop', webhook_url: null } })).status).toBe(201);
    expect(await paymentsOf(customer)).toHaveLength(1);

    product.paypal.faults.outage = 'none';
    expect((await newcomer.api.call(createOrder, { body: { planId } })).status).toBe(200);
    expect((await customer.api.call(cancelSubscription)).body).toMatchObject({ status: 'cancelled' });
  },
);

test('a history that could not be had is made up for', async () => {
  const product = await startProduct();
  Object.assign(product.paypal.faults, { outage: 503, where: /transactions/ });
  const customer = await payer(product);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'active' });
  expect(await paymentsOf(customer)).toEqual([]);
  product.paypal.faults.outage = 'none';
  // The next payment tells the workers to look again.
  await product.pass(31 * dayMs);
  await expect.poll(() => paymentsOf(customer), patience).toHaveLength(2);
});

test('a history that PayPal fails to answer does not stop the others from being stored', async () => {
  const product = await startProduct();
  const broken = await payer(product);
  const sound = await payer(product);
  await product.pass(1000);
  const { ctx } = product.app;
  await ctx.db.deleteFrom('payments').execute();
  Object.assign(product.paypal.faults, { outage: 500, where: new RegExp(broken.orderId) });
  await ctx.db.updateTable('subscriptions').set({ payments_stale: true }).execute();
  await recordStalePayments(ctx);
  expect(await paymentsOf(sound)).toHaveLength(1);
  expect(await paymentsOf(broken)).toEqual([]);
});

test('the server comes up, and stops, without PayPal', async () => {
  const paypal = await PayPalStandIn.listen();
  cleanUp.push(() => paypal.close());
  paypal.faults.outage = 'hang';
  await using app = await startTestApplication({ env: paypal.settings });
  const customer = await signUp(app.url);
  expect((await customer.api.call(getCurrentUser)).body.subscription).toMatchObject({
    status: 'none',
    provider: 'paypal',
    subscriptionPlan: { paypal_plan_id: paypal.planId, price: 9.99 },
  });
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200);
});

test('a crash between the order at PayPal and our record of it leaves one subscription', async () => {
  const product = await startProduct();
  const customer = await signUp(product.app.url);
  // PayPal has made it, and we never hear.
  product.paypal.faults.dropAnswers = 1;
  expect(await customer.api.refuse(createOrder, { body: { planId } })).toMatchObject(unavailable);
  const { orderId } = await placeOrder(customer);
  expect([...product.paypal.ledger.subscriptions.keys()]).toEqual([orderId]);
});

test('two processes on one database: one order, each event worked off once, each mail once', async () => {
  const clock = createTestClock(new Date('2026-07-10T12:00:00.000Z'));
  const paypal = await PayPalStandIn.listen({ clock });
  cleanUp.push(() => paypal.close());
  const database = await createTestDatabase();
  cleanUp.push(() => database.drop());
  const { connectionString } = database;
  const secretKey = randomBytes(32);
  const options = { clock, connectionString, secretKey, env: paypal.settings };
  const [left, right] = [await startTestApplication(options), await startTestApplication(options)];
  cleanUp.push(
    () => left[Symbol.asyncDispose](),
    () => right[Symbol.asyncDispose](),
  );
  paypal.notifyProduct(left.url);

  const customer = await signUp(left.url);
  const elsewhere = { ...customer, api: createApiClient(right.url, { authorization: customer.token }) };
  const orders = await Promise.all([customer, elsewhere, customer, elsewhere].map(placeOrder));
  const [orderId = ''] = new Set(orders.map((order) => order.orderId));
  expect(orders.map((order) => order.orderId)).toEqual(orders.map(() => orderId));
  expect(paypal.ledger.subscriptions.size).toBe(1);

  const subscription = paypal.ledger.get(orderId);
  paypal.notifications.faults.times = 3;
  paypal.ledger.approve(subscription);
  const capture = { body: { orderId, planId } };
  await Promise.all([customer, elsewhere].map(({ api }) => api.call(captureOrder, capture)));
  await paypal.notifications.whenDelivered();
  const events = () => left.ctx.db.selectFrom('payment_events').select(['attempts', 'next_attempt_at']).execute();
  await expect
    .poll(async () => (await events()).map(({ next_attempt_at }) => next_attempt_at), patience)
    .toEqual(paypal.notifications.all.map(() => null));
  expect((await events()).map(({ attempts }) => attempts)).toEqual(paypal.notifications.all.map(() => 1));

  paypal.ledger.cancel(subscription);
  clock.advance(3_600_000);
  await Promise.all([left, right].map(({ ctx }) => reconcileSubscriptions(ctx)));
  const notices = () => left.ctx.db.selectFrom('subscription_notices').select(['occasion', 'attempts']).execute();
  await expect.poll(notices, patience).toEqual([{ occasion: 'access_ends', attempts: 1 }]);
});
