import { afterEach, beforeEach, expect, test } from 'vitest';
import { cancelSubscription, captureOrder, createOrder, resumeSubscription } from '#contracts/billing.ts';
import { listProjects } from '#contracts/projects.ts';
import {
  dayMs,
  firstMonthEnds,
  hourMs,
  patience,
  payWith,
  payer,
  paymentsOf,
  placeOrder,
  planId,
  startPayPalProduct,
  subscriptionOf,
  untilFirstMonthEnds,
} from '#tests/support/paypal-product.ts';
import { proveIdentity } from '#tests/support/customer.ts';
import type { PayPalProduct } from '#tests/support/paypal-product.ts';

const active = { status: 'active', hasActiveSubscription: true };
let product: PayPalProduct;
beforeEach(async () => {
  product = await startPayPalProduct();
});
afterEach(() => product[Symbol.asyncDispose]());

test('a subscription renews month by month, and the history lists the payments', async () => {
  const customer = await payer(product);
  await product.pass(untilFirstMonthEnds + hourMs);
  expect(await subscriptionOf(customer)).toMatchObject({
    ...active,
    currentSubscription: { next_payment_at: '2026-09-10T10:00:00.000Z', access_ends_at: null },
  });
  const paid = { order_id: customer.orderId, provider: 'paypal', amount: 9.99, currency: 'USD', status: 'completed' };
  await expect
    .poll(() => paymentsOf(customer), patience)
    .toMatchObject([
      { ...paid, paid_at: firstMonthEnds },
      { ...paid, paid_at: '2026-07-10T12:00:00.000Z' },
    ]);
});

test('a failed payment: three days of grace from the first failure, then suspended, and settled later', async () => {
  const customer = await payer(product);
  customer.subscription.hasFunds = false;
  await product.pass(untilFirstMonthEnds);
  const pastDue = {
    status: 'past_due',
    hasActiveSubscription: true,
    currentSubscription: {
      access_ends_at: '2026-08-13T10:00:00.000Z',
      paid_until: firstMonthEnds,
      next_payment_at: null,
    },
  };
  expect(await subscriptionOf(customer)).toMatchObject(pastDue);
  await product.pass(2 * dayMs);
  expect(await subscriptionOf(customer)).toMatchObject(pastDue);

  await product.pass(dayMs);
  const suspended = { status: 'suspended', hasActiveSubscription: false };
  expect(await subscriptionOf(customer)).toMatchObject(suspended);
  expect(await customer.api.refuse(listProjects)).toMatchObject({ status: 402 });
  // PayPal tries again, fails, and at last suspends it: no further grace comes of that.
  for (const days of [5, 5, 5]) {
    await product.pass(days * dayMs);
    expect(await subscriptionOf(customer)).toMatchObject(suspended);
  }
  expect(customer.subscription.status).toBe('SUSPENDED');

  product.paypal.ledger.settleDebt(customer.subscription);
  await product.pass(1000);
  expect(await subscriptionOf(customer)).toMatchObject({ ...active, currentSubscription: { access_ends_at: null } });
  const { status } = await customer.api.call(listProjects);
  expect(status).toBe(200);
  await expect
    .poll(async () => (await paymentsOf(customer)).map((payment) => payment.status), patience)
    .toEqual(['completed', 'failed', 'failed', 'failed', 'completed']);
});

test('a customer who cancels while a payment is owed keeps the paid time, and no more', async () => {
  const customer = await payer(product);
  customer.subscription.hasFunds = false;
  await product.pass(untilFirstMonthEnds + hourMs);
  expect((await customer.api.call(cancelSubscription)).body).toMatchObject({
    status: 'expired',
    hasActiveSubscription: false,
    currentSubscription: { access_ends_at: firstMonthEnds },
  });
  // No way to win days by failing to pay: a new one is to be paid at once.
  expect(await placeOrder(customer)).toMatchObject({ startsAt: null });
});

test('a customer who owes a payment and lost access can cancel without paying', async () => {
  const customer = await payer(product);
  customer.subscription.hasFunds = false;
  await product.pass(untilFirstMonthEnds);
  await product.pass(4 * dayMs);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'suspended' });
  expect((await customer.api.call(cancelSubscription)).body).toMatchObject({ status: 'expired' });
  expect(customer.subscription.status).toBe('CANCELLED');
});

test('a payment that is made up for within the grace is as if nothing had been', async () => {
  const customer = await payer(product);
  customer.subscription.hasFunds = false;
  await product.pass(untilFirstMonthEnds);
  product.paypal.ledger.settleDebt(customer.subscription);
  await product.pass(hourMs);
  expect(await subscriptionOf(customer)).toMatchObject({
    ...active,
    currentSubscription: { next_payment_at: '2026-09-10T10:00:00.000Z', access_ends_at: null },
  });
  await product.pass(5 * dayMs);
  expect(await subscriptionOf(customer)).toMatchObject(active);
});

test('cancelled here: PayPal bills no more, access lasts until the paid period ends, and then is over', async () => {
  const customer = await payer(product);
  const cancelled = {
    status: 'cancelled',
    hasActiveSubscription: true,
    currentSubscription: { access_ends_at: firstMonthEnds, next_payment_at: null, can_resume: false },
  };
  expect((await customer.api.call(cancelSubscription)).body).toMatchObject(cancelled);
  expect(customer.subscription.status).toBe('CANCELLED');
  expect((await customer.api.call(cancelSubscription)).body).toMatchObject(cancelled);
  expect(await customer.api.refuse(resumeSubscription)).toMatchObject({
    status: 409,
    body: { code: 'cancelled_for_good' },
  });
  await product.pass(untilFirstMonthEnds - 1000);
  expect(await subscriptionOf(customer)).toMatchObject(cancelled);
  await product.pass(1000);
  const over = { status: 'expired', hasActiveSubscription: false, currentSubscription: { can_resume: false } };
  // Without asking anybody.
  expect(await subscriptionOf(customer)).toMatchObject(over);
  await product.reconcile();
  expect(await subscriptionOf(customer)).toMatchObject(over);
  expect(customer.subscription.transactions).toHaveLength(1);
});

test('subscribed again before the paid period ends: nothing is paid twice, and nothing stops between', async () => {
  const customer = await payer(product);
  await customer.api.call(cancelSubscription);
  await product.pass(5 * dayMs);
  const order = await placeOrder(customer);
  expect(order).toMatchObject({ startsAt: firstMonthEnds });
  const next = product.paypal.ledger.get(order.orderId ?? '');
  expect(next.request.start_time).toBe(firstMonthEnds);
  expect((await placeOrder(customer)).orderId).toBe(next.id);
  // Not before it is approved.
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'cancelled' });

  product.paypal.ledger.approve(next);
  const { body } = await customer.api.call(captureOrder, { body: { orderId: next.id, planId } });
  expect(body).toMatchObject({
    ...active,
    currentSubscription: {
      order_id: next.id,
      next_payment_at: firstMonthEnds,
      access_ends_at: null,
      paid_until: firstMonthEnds,
    },
  });
  expect(next.transactions).toEqual([]);
  await product.pass(untilFirstMonthEnds);
  expect(await subscriptionOf(customer)).toMatchObject({
    ...active,
    currentSubscription: { order_id: next.id, paid_until: '2026-09-10T10:00:00.000Z' },
  });
  expect(next.transactions).toMatchObject([{ time: new Date(firstMonthEnds) }]);
});

test('buttons of PayPal that send the agreed start count as well', async () => {
  const customer = await payer(product);
  const { custom_id = '' } = customer.subscription.request;
  await customer.api.call(cancelSubscription);
  const made = product.paypal.approveWithButtons({ custom_id, start_time: firstMonthEnds });
  const { body } = await customer.api.call(captureOrder, { body: { orderId: made.id, planId } });
  expect(body).toMatchObject({ ...active, currentSubscription: { order_id: made.id } });
});

test('cancelled at PayPal: what was paid for stays, and one may subscribe again for afterwards', async () => {
  const customer = await payer(product);
  product.paypal.ledger.cancel(customer.subscription);
  await product.pass(1000);
  expect(await subscriptionOf(customer)).toMatchObject({
    status: 'cancelled',
    hasActiveSubscription: true,
    currentSubscription: { access_ends_at: firstMonthEnds, can_resume: false },
  });
  expect(await placeOrder(customer)).toMatchObject({ startsAt: firstMonthEnds });
});

test('cancelled at PayPal before we ever saw it paid: the payer keeps the month all the same', async () => {
  product.paypal.notifications.faults.areLost = true;
  const customer = await payer({ ...product, paypal: product.paypal });
  // As if nobody had captured it.
  await product.app.ctx.db
    .updateTable('subscriptions')
    .set({ paid_until: null, last_paid_at: null, started_at: null, status: 'pending', access_until: null })
    .where('account_id', '=', customer.id)
    .execute();
  product.paypal.ledger.cancel(customer.subscription);
  product.clock.advance(hourMs);
  await product.reconcile();
  expect(await subscriptionOf(customer)).toMatchObject({
    status: 'cancelled',
    hasActiveSubscription: true,
    // Two hours more than PayPal would have said: of that nobody told us.
    currentSubscription: { access_ends_at: '2026-08-10T12:00:00.000Z' },
  });
});

test('a customer whose subscription has ended subscribes anew', async () => {
  const customer = await payer(product);
  await customer.api.call(cancelSubscription);
  await product.pass(untilFirstMonthEnds + dayMs);
  await proveIdentity(customer);
  expect(await customer.api.refuse(cancelSubscription)).toMatchObject({ body: { code: 'not_subscribed' } });
  expect(await customer.api.refuse(resumeSubscription)).toMatchObject({ body: { code: 'not_cancelled' } });
  const again = await payWith(product, customer);
  expect(again.orderId).not.toBe(customer.orderId);
  expect(await subscriptionOf(customer)).toMatchObject({ ...active, currentSubscription: { order_id: again.orderId } });
  expect(await customer.api.refuse(createOrder, { body: { planId } })).toMatchObject({
    body: { code: 'already_subscribed' },
  });
});
