import { afterAll, beforeAll, expect, test } from 'vitest';
import { approveTestOrder, cancelSubscription, captureOrder, createOrder } from '#contracts/billing.ts';
import { signUp } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import {
  dayMs,
  patience,
  payWith,
  payer,
  placeOrder,
  planId,
  startPayPalProduct,
  subscriptionOf,
} from '#tests/support/paypal-product.ts';
import type { PayPalProduct } from '#tests/support/paypal-product.ts';
import { reconcileSubscriptions } from '../reconcile-subscriptions.ts';

let product: PayPalProduct;
beforeAll(async () => {
  product = await startPayPalProduct();
});
afterAll(() => product[Symbol.asyncDispose]());

const newCustomer = () => signUp(product.app.url);
const capture = ({ api }: Customer, orderId: string) => api.call(captureOrder, { body: { orderId, planId } });
const refused = { status: 402, body: { code: 'payment_not_approved' } };
const refuse = ({ api }: Customer, orderId: string) => api.refuse(captureOrder, { body: { orderId, planId } });

test('the payer approves on the page at PayPal, comes back, and is in', async () => {
  const customer = await newCustomer();
  const { orderId = '', approvalUrl = '' } = await placeOrder(customer);
  expect(await refuse(customer, orderId)).toMatchObject(refused);
  expect(await (await fetch(approvalUrl)).text()).toContain('Agree and subscribe');
  const decide = (decision: string) =>
    fetch(approvalUrl, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });
  const left = new URL((await decide('cancel')).headers.get('location') ?? '');
  expect(left.pathname + left.search).toMatch(/^\/subscription\?cancelled=1&subscription_id=I-/);
  expect(await refuse(customer, orderId)).toMatchObject(refused);

  const back = new URL((await decide('approve')).headers.get('location') ?? '');
  expect([...back.searchParams.keys()]).toEqual(['subscription_id', 'ba_token', 'token']);
  const { body: captured } = await capture(customer, back.searchParams.get('subscription_id') ?? '');
  expect(captured).toMatchObject({
    status: 'active',
    hasActiveSubscription: true,
    provider: 'paypal',
    currentSubscription: {
      order_id: orderId,
      // PayPal's own word: no count of days comes to ten in the morning.
      next_payment_at: '2026-08-10T10:00:00.000Z',
      access_ends_at: null,
      can_resume: false,
      manage_url: `${product.paypal.url}/myaccount/autopay/`,
    },
  });
  const repeats = await Promise.all([1, 2, 3].map(() => capture(customer, orderId)));
  for (const { body } of repeats) expect(body).toEqual(captured);
});

test('a subscription from buttons of PayPal counts for the account that it names, and no other', async () => {
  const customer = await newCustomer();
  const thief = await newCustomer();
  const { customId } = await placeOrder(customer);
  const made = product.paypal.approveWithButtons({ custom_id: customId ?? '' });
  expect(await refuse(thief, made.id)).toMatchObject(refused);
  expect((await capture(customer, made.id)).body).toMatchObject({
    status: 'active',
    currentSubscription: { order_id: made.id },
  });
  expect(await refuse(thief, made.id)).toMatchObject(refused);
  expect(await subscriptionOf(thief)).toMatchObject({ status: 'none', hasActiveSubscription: false });
});

test.each<[string, (customId: string) => object]>([
  ['names nobody', () => ({})],
  ['names somebody unheard of', () => ({ custom_id: 'account-7' })],
  ['costs less', (custom_id) => ({ custom_id, plan: { billing_cycles: [{ sequence: 1 }] } })],
  ['costs nothing for years', (custom_id) => ({ custom_id, start_time: '2036-01-01T00:00:00Z' })],
])('a subscription from buttons of PayPal that %s opens nothing', async (_name, requestFor) => {
  const customer = await newCustomer();
  const { customId = '' } = await placeOrder(customer);
  const made = product.paypal.approveWithButtons(requestFor(customId));
  expect(await refuse(customer, made.id)).toMatchObject(refused);
  await product.pass(1000);
  await product.reconcile();
  expect(await subscriptionOf(customer)).toMatchObject({ hasActiveSubscription: false });
});

test('a subscription from buttons of PayPal that is approved and not activated opens nothing until it is', async () => {
  const customer = await newCustomer();
  const { customId = '' } = await placeOrder(customer);
  const { ledger, planId: plan_id } = product.paypal;
  const plan = ledger.plans.get(plan_id);
  if (!plan) throw new Error('The plan is gone');
  const made = ledger.create({ plan_id, custom_id: customId }, plan);
  made.status = 'APPROVED';
  expect(await refuse(customer, made.id)).toMatchObject(refused);
  await product.pass(1000);
  expect(await subscriptionOf(customer)).toMatchObject({ hasActiveSubscription: false });
  made.status = 'APPROVAL_PENDING';
  ledger.approve(made);
  expect((await capture(customer, made.id)).body).toMatchObject({ status: 'active' });
});

test('a subscription to another plan opens nothing, whoever it names', async () => {
  const customer = await newCustomer();
  const { customId = '' } = await placeOrder(customer);
  const price = { currency_code: 'USD', value: '0.01' };
  product.paypal.ledger.plans.set('P-CHEAP', { id: 'P-CHEAP', status: 'ACTIVE', price, months: 12 });
  const made = product.paypal.approveWithButtons({ custom_id: customId, plan_id: 'P-CHEAP' });
  expect(await refuse(customer, made.id)).toMatchObject(refused);
});

test.each(['I-0000000000AA', '../plans/P-1', 'I-1?x=', '%2e%2e', 'x'.repeat(100)])(
  'a forged order opens nothing: %s',
  async (orderId) => {
    const customer = await newCustomer();
    expect(await refuse(customer, orderId)).toMatchObject(refused);
    expect(product.paypal.requests.filter((request) => request.includes('plans'))).toEqual([]);
  },
);

test('an old subscription that is over cannot be replayed', async () => {
  const customer = await payer(product);
  product.paypal.ledger.cancel(customer.subscription);
  expect(await refuse(customer, customer.orderId)).toMatchObject(refused);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'cancelled', hasActiveSubscription: true });
});

test('the first payment on its way is trusted for three days, and one that fails buys nothing', async () => {
  const waiting = await newCustomer();
  const order = await placeOrder(waiting);
  const subscription = product.paypal.ledger.get(order.orderId ?? '');
  product.paypal.ledger.approve(subscription, { isPaymentPending: true });
  subscription.nextBillingAt = new Date(product.clock.now().getTime() + 2 * dayMs);
  subscription.hasFunds = false;
  expect((await capture(waiting, subscription.id)).body).toMatchObject({ status: 'active' });
  await product.pass(2 * dayMs);
  await expect
    .poll(() => subscriptionOf(waiting), patience)
    .toMatchObject({ status: 'suspended', hasActiveSubscription: false });
});

test('a customer who could not pay at first, and can now, gets no welcome back', async () => {
  const customer = await newCustomer();
  const { orderId = '' } = await placeOrder(customer);
  const subscription = product.paypal.ledger.get(orderId);
  subscription.hasFunds = false;
  product.paypal.ledger.approve(subscription);
  expect(await refuse(customer, orderId)).toMatchObject(refused);
  expect(await subscriptionOf(customer)).toMatchObject({
    status: 'suspended',
    currentSubscription: { access_ends_at: null },
  });
  await payWith(product, customer);
  const notices = product.app.ctx.db.selectFrom('subscription_notices').where('account_id', '=', customer.id);
  expect(await notices.selectAll().execute()).toEqual([]);
});

test('a customer who closed the tab after approving gets access by the event, or by the reconciliation', async () => {
  const byEvent = await newCustomer();
  const { customId = '' } = await placeOrder(byEvent);
  product.paypal.approveWithButtons({ custom_id: customId });
  await product.pass(1000);
  expect(await subscriptionOf(byEvent)).toMatchObject({ status: 'active' });

  product.paypal.notifications.faults.areLost = true;
  const byClock = await newCustomer();
  const { orderId = '' } = await placeOrder(byClock);
  product.paypal.ledger.approve(product.paypal.ledger.get(orderId));
  product.paypal.notifications.faults.areLost = false;
  expect(await subscriptionOf(byClock)).toMatchObject({ status: 'pending' });
  await product.reconcile();
  expect(await subscriptionOf(byClock)).toMatchObject({ status: 'active', hasActiveSubscription: true });
  expect(await byClock.api.refuse(createOrder, { body: { planId } })).toMatchObject({
    status: 409,
    body: { code: 'already_subscribed' },
  });
});

test('two that were approved: the later one stays, nobody pays twice', async () => {
  const customer = await payer(product);
  const customId = await customIdOf(customer);
  product.clock.advance(60_000);
  const second = product.paypal.approveWithButtons({ custom_id: customId });
  expect((await capture(customer, second.id)).body).toMatchObject({ currentSubscription: { order_id: second.id } });
  expect(customer.subscription.status).toBe('CANCELLED');
  expect(second.status).toBe('ACTIVE');
});

/** The account's id at PayPal, though it can order nothing now. */
async function customIdOf({ id }: Customer): Promise<string> {
  const account = await product.app.ctx.db
    .selectFrom('accounts')
    .select('payment_reference')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return account.payment_reference;
}

test('a new subscription cancels the suspended one that it replaces', async () => {
  const customer = await payer(product);
  product.paypal.ledger.suspend(customer.subscription);
  await product.pass(20 * dayMs);
  // Access stays until the end of the paid period.
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'past_due', hasActiveSubscription: true });
  await product.pass(20 * dayMs);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'suspended', hasActiveSubscription: false });
  expect(await refuse(customer, customer.orderId)).toMatchObject(refused);
  const again = await payWith(product, customer);
  expect(await subscriptionOf(customer)).toMatchObject({ currentSubscription: { order_id: again.orderId } });
  expect(customer.subscription.status).toBe('CANCELLED');
});

test('an answer that another process has overtaken is not written down', async () => {
  const customer = await payer(product);
  // Events are processed already, so that only the payer asks from here on.
  await product.pass(1000);
  const { paypal } = product;
  // While the first answer, still active, is on its way, the subscription is cancelled elsewhere.
  paypal.whileAsked = async (path) => {
    if (!path.endsWith(customer.orderId)) return;
    paypal.whileAsked = undefined;
    await customer.api.call(cancelSubscription);
  };
  expect(await refuse(customer, customer.orderId)).toMatchObject(refused);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'cancelled' });
});

test('a payer who comes back in ten tabs at once is in with each, and cancels with each', async () => {
  const customer = await newCustomer();
  const { orderId = '' } = await placeOrder(customer);
  product.paypal.ledger.approve(product.paypal.ledger.get(orderId));
  const tabs = Array.from({ length: 10 });
  const captured = await Promise.all(tabs.map(() => customer.api.call(captureOrder, { body: { orderId, planId } })));
  expect(new Set(captured.map(({ body }) => body.status))).toEqual(new Set(['active']));
  const cancelled = await Promise.all(tabs.map(() => customer.api.call(cancelSubscription)));
  expect(new Set(cancelled.map(({ body }) => body.status))).toEqual(new Set(['cancelled']));
});

test('a setting that names another plan changes nothing for who pays already', async () => {
  const customer = await payer(product);
  const { ctx } = product.app;
  const payments = { ...ctx.payments, providerPlanId: () => 'P-NEXT' };
  product.clock.advance(2 * 3_600_000);
  await reconcileSubscriptions({ ...ctx, payments });
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'active' });
});

test('test payments are off', async () => {
  const customer = await newCustomer();
  const attempt = await customer.api.refuse(approveTestOrder, { body: { orderId: 'x', approve: true } });
  expect(attempt).toMatchObject({ status: 404, body: { code: 'test_payments_off' } });
});
