import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import {
  approveTestOrder,
  cancelSubscription,
  captureOrder,
  createOrder,
  resumeSubscription,
} from '#contracts/billing.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { proveIdentity, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { grantAccess } from './grant-access.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';

const dayMs = 86_400_000;
const planId = 1;
// A month of 31 days.
const clock = createTestClock(new Date('2026-07-10T12:00:00.000Z'));
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api' } });
});
afterAll(() => app[Symbol.asyncDispose]());

async function placeOrder({ api }: Customer): Promise<string> {
  const { body } = await api.call(createOrder, { body: { planId } });
  return body.orderId ?? '';
}

async function decide({ api }: Customer, orderId: string, approve: boolean) {
  return (await api.call(approveTestOrder, { body: { orderId, approve } })).body;
}

async function subscriptionOf({ api }: Customer) {
  return (await api.call(getCurrentUser)).body.subscription;
}

const refusedCapture = { status: 402, body: { code: 'payment_not_approved' } };

test('order, approve, capture: the account is active, and a repeat changes nothing', async () => {
  const customer = await signUp(app.url);
  const { status, body } = await customer.api.call(createOrder, { body: { planId } });
  expect(status).toBe(200);
  expect(body).toEqual({
    planId,
    paypalPlanId: null,
    provider: 'test',
    orderId: expect.stringMatching(/^TEST-[0-9A-F]{20}$/),
    startsAt: null,
    status: 'approval_pending',
  });
  const orderId = body.orderId ?? '';
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'pending', hasActiveSubscription: false });

  const capture = { body: { orderId, planId } };
  expect(await customer.api.refuse(captureOrder, capture)).toMatchObject(refusedCapture);
  expect(await decide(customer, orderId, true)).toEqual({ orderId, status: 'approved' });
  expect(await subscriptionOf(customer)).toMatchObject({ hasActiveSubscription: false });

  const { body: captured } = await customer.api.call(captureOrder, capture);
  expect(captured).toMatchObject({
    status: 'active',
    hasActiveSubscription: true,
    plan: { id: 1, features: ['Unlimited connections', 'Webhooks', 'API access', 'Priority support'] },
    currentSubscription: {
      order_id: orderId,
      status: 'active',
      started_at: clock.now().toISOString(),
      next_payment_at: new Date(clock.now().getTime() + 31 * dayMs).toISOString(),
      access_ends_at: null,
      can_resume: false,
      manage_url: null,
    },
  });
  const repeats = await Promise.all([1, 2, 3].map(() => customer.api.call(captureOrder, capture)));
  for (const repeat of repeats) expect(repeat.body).toEqual(captured);
  expect(await subscriptionOf(customer)).toEqual(captured);
});

test('only the account that took out an order can have it', async () => {
  const payer = await signUp(app.url);
  const thief = await signUp(app.url);
  const orderId = await placeOrder(payer);
  const theft = await thief.api.refuse(approveTestOrder, { body: { orderId, approve: true } });
  expect(theft).toMatchObject({ status: 404, body: { code: 'order_not_found' } });
  const capture = { body: { orderId, planId } };
  expect(await payer.api.refuse(captureOrder, capture)).toMatchObject(refusedCapture);
  await decide(payer, orderId, true);
  expect(await thief.api.refuse(captureOrder, { body: { orderId, planId } })).toMatchObject(refusedCapture);
  expect(await thief.api.refuse(captureOrder, { body: { orderId: 'TEST-0', planId } })).toMatchObject(refusedCapture);
  expect(await subscriptionOf(thief)).toMatchObject({ status: 'none', hasActiveSubscription: false });
  expect((await payer.api.call(captureOrder, { body: { orderId, planId } })).body.status).toBe('active');
});

test('a declined order opens nothing; the first decision stands, and a new order may follow', async () => {
  const customer = await signUp(app.url);
  const orderId = await placeOrder(customer);
  expect(await decide(customer, orderId, false)).toEqual({ orderId, status: 'declined' });
  expect(await decide(customer, orderId, true)).toEqual({ orderId, status: 'declined' });
  expect(await customer.api.refuse(captureOrder, { body: { orderId, planId } })).toMatchObject(refusedCapture);
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'none', currentSubscription: null });

  const next = await placeOrder(customer);
  expect(next).not.toBe(orderId);
  await decide(customer, next, true);
  expect((await customer.api.call(captureOrder, { body: { orderId: next, planId } })).body.status).toBe('active');
});

test('an order that waits is taken up again, and a double click makes one', async () => {
  const customer = await signUp(app.url);
  const orders = await Promise.all([1, 2, 3, 4].map(() => placeOrder(customer)));
  expect(new Set(orders).size).toBe(1);
  expect(await placeOrder(customer)).toBe(orders[0]);
});

test('a second subscription is refused, even while a paid order has not been captured', async () => {
  const subscriber = await signUpSubscriber(app.url);
  const refusal = { status: 409, body: { code: 'already_subscribed' } };
  expect(await subscriber.api.refuse(createOrder, { body: { planId } })).toMatchObject(refusal);

  const closedTheTab = await signUp(app.url);
  await decide(closedTheTab, await placeOrder(closedTheTab), true);
  expect(await closedTheTab.api.refuse(createOrder, { body: { planId } })).toMatchObject(refusal);
  expect(await subscriptionOf(closedTheTab)).toMatchObject({ status: 'active' });
});

test('a plan that is not there, or no plan at all', async () => {
  const customer = await signUp(app.url);
  const missing = { status: 404, body: { code: 'plan_not_found' } };
  expect(await customer.api.refuse(createOrder, { body: { planId: 99 } })).toMatchObject(missing);
  const orderId = await placeOrder(customer);
  await decide(customer, orderId, true);
  expect(await customer.api.refuse(captureOrder, { body: { orderId, planId: 99 } })).toMatchObject(missing);
  const wrong = await customer.api.refuse(createOrder, { body: { planId: 0 } });
  expect(wrong).toMatchObject({ status: 422, body: { errors: [{ path: 'planId' }] } });
});

test('an order of another plan does not count', async () => {
  await app.ctx.db
    .insertInto('plans')
    .values({
      id: 2,
      name: 'Big',
      description: '',
      price_cents: 9900,
      duration_months: 12,
      features: '[]',
      project_limit: 9,
    })
    .execute();
  const customer = await signUp(app.url);
  const orderId = await placeOrder(customer);
  await decide(customer, orderId, true);
  expect(await customer.api.refuse(captureOrder, { body: { orderId, planId: 2 } })).toMatchObject(refusedCapture);
});

test('cancelled, it stays open until the paid month ends, and may be resumed until then', async () => {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const monthEnds = new Date(clock.now().getTime() + 31 * dayMs).toISOString();
  expect(await api.refuse(resumeSubscription)).toMatchObject({ status: 409, body: { code: 'not_cancelled' } });

  const cancelled = {
    status: 'cancelled',
    hasActiveSubscription: true,
    currentSubscription: { status: 'cancelled', next_payment_at: null, access_ends_at: monthEnds, can_resume: true },
  };
  expect((await api.call(cancelSubscription)).body).toMatchObject(cancelled);
  expect((await api.call(cancelSubscription)).body).toMatchObject(cancelled);
  const again = await api.refuse(createOrder, { body: { planId } });
  expect(again).toMatchObject({ status: 409, body: { message: expect.stringContaining('Resume') } });

  clock.advance(10 * dayMs);
  expect((await api.call(resumeSubscription)).body).toMatchObject({
    status: 'active',
    currentSubscription: { next_payment_at: monthEnds, access_ends_at: null },
  });

  await api.call(cancelSubscription);
  clock.advance(21 * dayMs);
  const over = { status: 'expired', hasActiveSubscription: false, plan: { id: 1 } };
  expect(await subscriptionOf(customer)).toMatchObject(over);
  await proveIdentity(customer);
  expect(await api.refuse(resumeSubscription)).toMatchObject({ status: 409, body: { code: 'not_cancelled' } });
  expect(await api.refuse(cancelSubscription)).toMatchObject({ status: 409, body: { code: 'not_subscribed' } });
  await reconcileSubscriptions(app.ctx);
  expect(await subscriptionOf(customer)).toMatchObject(over);
  expect((await api.call(createOrder, { body: { planId } })).status).toBe(200);
});

test('access that an operator granted is nothing to resume or to cancel, and a subscription may follow at any time', async () => {
  const customer = await signUp(app.url);
  const { api } = customer;
  await proveIdentity(customer);
  const until = new Date(clock.now().getTime() + 90 * dayMs);
  await grantAccess(app.ctx, { accountId: customer.id, until });
  expect(await subscriptionOf(customer)).toMatchObject({
    hasActiveSubscription: true,
    currentSubscription: { can_resume: false, access_ends_at: until.toISOString() },
  });
  expect(await api.refuse(resumeSubscription)).toMatchObject({ status: 409, body: { code: 'not_cancelled' } });
  expect(await api.refuse(cancelSubscription)).toMatchObject({ status: 409, body: { code: 'not_subscribed' } });
  const orderId = await placeOrder(customer);
  await decide(customer, orderId, true);
  await api.call(captureOrder, { body: { orderId, planId } });
  expect(await subscriptionOf(customer)).toMatchObject({
    status: 'active',
    currentSubscription: { order_id: orderId },
  });
  // Cancelled, the grant opens the product for longer; the subscription is still the one to resume.
  await api.call(cancelSubscription);
  expect((await api.call(resumeSubscription)).body).toMatchObject({ currentSubscription: { order_id: orderId } });
});

test('a subscription renews month by month', async () => {
  const customer = await signUpSubscriber(app.url);
  clock.advance(20 * dayMs);
  const before = await subscriptionOf(customer);
  clock.advance(15 * dayMs);
  await reconcileSubscriptions(app.ctx);
  const after = await subscriptionOf(customer);
  expect(after).toMatchObject({ status: 'active', hasActiveSubscription: true });
  const nextPayment = (subscription: typeof after) =>
    Date.parse(subscription.currentSubscription?.next_payment_at ?? '');
  expect(nextPayment(after)).toBeGreaterThan(clock.now().getTime());
  expect(nextPayment(after)).toBeGreaterThan(nextPayment(before));
});

test('open pages are notified of a change, and of nothing else', async () => {
  const customer = await signUp(app.url);
  const heard: unknown[] = [];
  const stop = subscribeLive(app.ctx, (event) => void heard.push(event));
  const change = { type: 'subscription.changed' };
  const capture = { body: { orderId: await placeOrder(customer), planId } };
  await decide(customer, capture.body.orderId, true);
  await customer.api.call(captureOrder, capture);
  await expect.poll(() => heard).toEqual([change]);
  await customer.api.call(captureOrder, capture);
  await customer.api.call(cancelSubscription);
  await expect.poll(() => heard).toEqual([change, change]);
  stop();
});

test('an api_key pays for nothing and cancels nothing', async () => {
  const { apiKey } = await signUp(app.url);
  const api = createApiClient(app.url, { authorization: apiKey });
  const refusals = [
    await api.refuse(createOrder, { body: { planId } }),
    await api.refuse(captureOrder, { body: { orderId: 'x', planId } }),
    await api.refuse(cancelSubscription),
    await api.refuse(resumeSubscription),
  ];
  for (const refusal of refusals) expect(refusal).toMatchObject({ status: 403, body: { code: 'session_required' } });
});
