import { afterEach, beforeEach, expect, test } from 'vitest';
import { startTestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import {
  dayMs,
  hourMs,
  patience,
  payer,
  paymentsOf,
  planId,
  startPayPalProduct,
  subscriptionOf,
  untilFirstMonthEnds,
} from '#tests/support/paypal-product.ts';
import type { PayPalProduct, Payer } from '#tests/support/paypal-product.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';

const active = { status: 'active', hasActiveSubscription: true };
let product: PayPalProduct;
beforeEach(async () => {
  product = await startPayPalProduct();
});
afterEach(() => product[Symbol.asyncDispose]());

test('every event lost: the reconciliation finds renewals, failures, suspensions and cancellations', async () => {
  product.paypal.notifications.faults.areLost = true;
  const renewed = await payer(product);
  const failed = await payer(product);
  const cancelled = await payer(product);
  failed.subscription.hasFunds = false;
  product.paypal.ledger.cancel(cancelled.subscription);
  await product.pass(hourMs);
  await product.reconcile();
  expect(await subscriptionOf(cancelled)).toMatchObject({ status: 'cancelled', hasActiveSubscription: true });

  await product.pass(untilFirstMonthEnds);
  await product.reconcile();
  expect(await subscriptionOf(renewed)).toMatchObject({
    ...active,
    currentSubscription: { next_payment_at: '2026-09-10T10:00:00.000Z' },
  });
  expect(await subscriptionOf(failed)).toMatchObject({ status: 'past_due', hasActiveSubscription: true });
  expect(await subscriptionOf(cancelled)).toMatchObject({ status: 'expired', hasActiveSubscription: false });
  await expect.poll(() => paymentsOf(renewed), patience).toHaveLength(2);

  await product.pass(10 * dayMs);
  await product.reconcile();
  expect(failed.subscription.status).toBe('SUSPENDED');
  expect(await subscriptionOf(failed)).toMatchObject({ status: 'suspended', hasActiveSubscription: false });
  product.paypal.ledger.settleDebt(failed.subscription);
  await product.pass(hourMs);
  await product.reconcile();
  expect(await subscriptionOf(failed)).toMatchObject(active);
});

test('the reconciliation asks about each once an hour, and a fault stops it for that one alone', async () => {
  const broken = await payer(product);
  const sound = await payer(product);
  const asked = () => product.paypal.requests.filter((request) => /subscriptions\/I-\w+$/.test(request)).length;
  await product.pass(30 * 60_000);
  const before = asked();
  await product.reconcile();
  expect(asked()).toBe(before);

  await product.app.ctx.db.updateTable('subscriptions').set({ next_check_at: product.clock.now() }).execute();
  product.paypal.ledger.cancel(sound.subscription);
  product.paypal.faults.where = new RegExp(broken.orderId);
  const payments = {
    ...product.app.ctx.payments,
    findSubscription: async (orderId: string) => {
      if (orderId === broken.orderId) throw new Error('unheard of');
      return product.app.ctx.payments.findSubscription(orderId);
    },
  };
  await reconcileSubscriptions({ ...product.app.ctx, payments });
  expect(await subscriptionOf(sound)).toMatchObject({ status: 'cancelled' });
  expect(await subscriptionOf(broken)).toMatchObject(active);
});

/** Orders that are due, and that PayPal has never heard of. */
async function dueOrders({ id }: Payer, count: number): Promise<void> {
  const now = product.clock.now();
  const orders = Array.from({ length: count }, (_, index) => ({
    account_id: id,
    plan_id: planId,
    provider: 'paypal' as const,
    provider_plan_id: product.paypal.planId,
    order_id: `I-UNHEARDOF${index}`,
    status: 'pending' as const,
    next_check_at: now,
    created_at: now,
    updated_at: now,
  }));
  await product.app.ctx.db.insertInto('subscriptions').values(orders).execute();
}

test('subscriptions that PayPal fails to answer do not stop the others from being reconciled', async () => {
  const broken = await payer(product);
  await dueOrders(broken, 6);
  const sound = await payer(product);
  await product.pass(1000);
  await product.pass(hourMs);
  product.paypal.notifications.faults.areLost = true;
  product.paypal.ledger.cancel(sound.subscription);
  Object.assign(product.paypal.faults, { outage: 500, where: new RegExp(`UNHEARDOF|${broken.orderId}`) });
  await product.reconcile();
  expect(await subscriptionOf(sound)).toMatchObject({ status: 'cancelled' });
  expect(await subscriptionOf(broken)).toMatchObject(active);
});

test('while PayPal is away not every single one is asked about', async () => {
  await dueOrders(await payer(product), 60);
  product.paypal.faults.outage = 503;
  product.paypal.requests.length = 0;
  await product.reconcile();
  expect(product.paypal.requests.length).toBeLessThan(30);
});

test('asked in the name of another shop, PayPal knows nobody; in the right one again, nothing was lost', async () => {
  const customer = await payer(product);
  await product.pass(1000);
  await product.pass(hourMs);
  const { ctx } = product.app;
  await reconcileSubscriptions({ ...ctx, payments: { ...ctx.payments, findSubscription: async () => undefined } });
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'cancelled', hasActiveSubscription: true });
  product.clock.advance(hourMs);
  await product.reconcile();
  expect(await subscriptionOf(customer)).toMatchObject(active);
});

test('the reconciliation asks in the last minutes before access ends', async () => {
  const customer = await payer(product);
  customer.subscription.hasFunds = false;
  await product.pass(untilFirstMonthEnds);
  product.paypal.notifications.faults.areLost = true;
  await product.pass(3 * dayMs - 30 * 60_000);
  await product.reconcile();
  product.paypal.ledger.settleDebt(customer.subscription);
  await product.pass(21 * 60_000);
  await product.reconcile();
  expect(await subscriptionOf(customer)).toMatchObject({ ...active, currentSubscription: { access_ends_at: null } });
});

test('access that cost nothing ends where money is taken', async () => {
  await using testServer = await startTestApplication({ clock: product.clock });
  const customer = await signUpSubscriber(testServer.url);
  await reconcileSubscriptions(testServer.ctx);
  expect(await subscriptionOf(customer)).toMatchObject(active);
  await reconcileSubscriptions({ ...testServer.ctx, payments: product.app.ctx.payments });
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'expired', hasActiveSubscription: false });
});
