import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ProviderSubscription } from '#server/connectors/payments/port.ts';
import type { AccountContext } from '#server/context.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createPaymentsStandIn } from '#tests/support/payments-stand-in.ts';
import type { PaymentsStandIn } from '#tests/support/payments-stand-in.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { approveTestOrder } from './approve-test-order.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { captureOrder } from './capture-order.ts';
import { createOrder } from './create-order.ts';
import { getSubscription } from './get-subscription.ts';
import { reconcileSubscriptions } from './reconcile-subscriptions.ts';

const dayMs = 86_400_000;
const planId = 1;
const clock = createTestClock();
let app: TestApplication;
let payments: PaymentsStandIn;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api' } });
});
beforeEach(() => {
  payments = createPaymentsStandIn();
});
afterAll(() => app[Symbol.asyncDispose]());

/** The account's context, with the provider that the test plays. */
function asAccount({ id }: Customer): AccountContext {
  return { ...app.ctx, payments, account: { id, timezone: 'UTC' }, sessionTokenHash: undefined };
}

function provide(orderId: string, change: Partial<ProviderSubscription>): void {
  const known = payments.subscriptions.get(orderId);
  if (!known) throw new Error(`${orderId} was never ordered`);
  payments.subscriptions.set(orderId, { ...known, ...change });
}

const active = () => ({
  state: 'active' as const,
  stateSince: clock.now(),
  startedAt: clock.now(),
  nextPaymentAt: new Date(clock.now().getTime() + 30 * dayMs),
  paidUntil: new Date(clock.now().getTime() + 30 * dayMs),
});

/** A customer who pays for real. */
async function subscriber(): Promise<{ ctx: AccountContext; orderId: string }> {
  const ctx = asAccount(await signUp(app.url));
  const { orderId = '' } = await createOrder(ctx, { planId });
  provide(orderId, active());
  await captureOrder(ctx, { orderId, planId });
  return { ctx, orderId };
}

test('the order tells the plan of the provider and where to approve it, again when asked again', async () => {
  const ctx = asAccount(await signUp(app.url));
  const first = await createOrder(ctx, { planId });
  expect(first).toMatchObject({
    provider: 'paypal',
    paypalPlanId: 'P-1',
    approvalUrl: `https://payments.example.com/approve/${first.orderId}`,
  });
  expect(await createOrder(ctx, { planId })).toEqual(first);
  expect(payments.subscriptions.size).toBe(1);
});

test('an order that was made on the page of the provider counts for the account that it names, and no other', async () => {
  const payer = asAccount(await signUp(app.url));
  const thief = asAccount(await signUp(app.url));
  for (const accountId of [payer.account.id, null]) {
    const orderId = `I-PAGE-${accountId}`;
    payments.subscriptions.set(orderId, { orderId, accountId, planId, paymentFailedAt: null, ...active() });
    await expect(captureOrder(thief, { orderId, planId })).rejects.toMatchObject({ status: 402 });
  }
  expect(await captureOrder(payer, { orderId: `I-PAGE-${payer.account.id}`, planId })).toMatchObject({
    status: 'active',
  });
  await expect(captureOrder(payer, { orderId: 'I-PAGE-null', planId })).rejects.toMatchObject({ status: 402 });
});

test.each([{ accountId: 0 }, { planId: null }])(
  'an order that turns out to be about %o opens nothing',
  async (change) => {
    const ctx = asAccount(await signUp(app.url));
    const { orderId = '' } = await createOrder(ctx, { planId });
    provide(orderId, { ...active(), ...change });
    await expect(captureOrder(ctx, { orderId, planId })).rejects.toMatchObject({ code: 'payment_not_approved' });
  },
);

test('test payments are off', async () => {
  const ctx = asAccount(await signUp(app.url));
  const attempt = approveTestOrder(ctx, { orderId: 'x', approve: true });
  await expect(attempt).rejects.toMatchObject({ status: 404, code: 'test_payments_off' });
});

test('a failed payment leaves three days, then access ends until it is made up for', async () => {
  const { ctx, orderId } = await subscriber();
  clock.advance(30 * dayMs);
  const failedAt = clock.now();
  provide(orderId, { paymentFailedAt: failedAt, nextPaymentAt: new Date(failedAt.getTime() + 5 * dayMs) });
  await reconcileSubscriptions(ctx);
  expect(await getSubscription(ctx, ctx.account.id)).toMatchObject({
    status: 'past_due',
    hasActiveSubscription: true,
    currentSubscription: { access_ends_at: new Date(failedAt.getTime() + 3 * dayMs).toISOString() },
  });
  clock.advance(3 * dayMs);
  // Without asking anybody.
  const suspended = { status: 'suspended', hasActiveSubscription: false };
  expect(await getSubscription(ctx, ctx.account.id)).toMatchObject(suspended);
  await reconcileSubscriptions(ctx);
  expect(await getSubscription(ctx, ctx.account.id)).toMatchObject(suspended);

  provide(orderId, { ...active(), paymentFailedAt: null });
  await reconcileSubscriptions(ctx);
  expect(await getSubscription(ctx, ctx.account.id)).toMatchObject({ status: 'active', hasActiveSubscription: true });
});

test('the end of the paid period is remembered for a provider that forgets it with the cancellation', async () => {
  const { ctx } = await subscriber();
  const monthEnds = new Date(clock.now().getTime() + 30 * dayMs).toISOString();
  expect(await cancelSubscription(ctx)).toMatchObject({
    status: 'cancelled',
    hasActiveSubscription: true,
    currentSubscription: { access_ends_at: monthEnds },
  });
});

test('a new subscription cancels the suspended one that it replaces', async () => {
  const { ctx, orderId } = await subscriber();
  provide(orderId, { state: 'suspended', stateSince: new Date(clock.now().getTime() - 4 * dayMs) });
  await expect(captureOrder(ctx, { orderId, planId })).rejects.toMatchObject({ status: 402 });
  const { orderId: next = '' } = await createOrder(ctx, { planId });
  provide(next, active());
  expect(await captureOrder(ctx, { orderId: next, planId })).toMatchObject({ currentSubscription: { order_id: next } });
  expect(payments.subscriptions.get(orderId)?.state).toBe('cancelled');
});

test('an outage changes nothing', async () => {
  const { ctx, orderId } = await subscriber();
  const before = await getSubscription(ctx, ctx.account.id);
  clock.advance(40 * dayMs);
  payments.isDown = true;
  await reconcileSubscriptions(ctx);
  await expect(captureOrder(ctx, { orderId, planId })).rejects.toMatchObject({
    status: 503,
    code: 'payments_unavailable',
  });
  expect(await getSubscription(ctx, ctx.account.id)).toEqual(before);
});

test('an answer that another process has overtaken is not written down', async () => {
  const { ctx, orderId } = await subscriber();
  // While the first answer, still active, is on its way, the subscription is cancelled elsewhere.
  payments.whileAsked = async () => {
    payments.whileAsked = undefined;
    await cancelSubscription(ctx);
  };
  await expect(captureOrder(ctx, { orderId, planId })).rejects.toMatchObject({ status: 402 });
  expect(await getSubscription(ctx, ctx.account.id)).toMatchObject({ status: 'cancelled' });
});

test('a paid order that was never captured is found by the reconciliation', async () => {
  const ctx = asAccount(await signUp(app.url));
  const { orderId = '' } = await createOrder(ctx, { planId });
  provide(orderId, active());
  await reconcileSubscriptions(ctx);
  expect(await getSubscription(ctx, ctx.account.id)).toMatchObject({ status: 'active', hasActiveSubscription: true });
});

test('the reconciliation asks only where something is due, and a fault stops it for that one alone', async () => {
  const quiet = await subscriber();
  const { ctx, orderId } = await subscriber();
  provide(orderId, { paymentFailedAt: clock.now() });
  await captureOrder(ctx, { orderId, planId });
  const broken = await subscriber();
  provide(broken.orderId, { paymentFailedAt: clock.now() });
  await captureOrder(broken.ctx, { orderId: broken.orderId, planId });
  provide(broken.orderId, { state: 'unheard of' as 'active' });

  payments.asked.length = 0;
  provide(orderId, { paymentFailedAt: null });
  await reconcileSubscriptions(ctx);
  expect(payments.asked).toEqual(expect.arrayContaining([orderId, broken.orderId]));
  expect(payments.asked).not.toContain(quiet.orderId);
  expect(await getSubscription(ctx, ctx.account.id)).toMatchObject({ status: 'active' });
});

test('access that cost nothing ends where money is taken', async () => {
  const customer = await signUpSubscriber(app.url);
  const ctx = asAccount(customer);
  await reconcileSubscriptions(app.ctx);
  expect(await getSubscription(ctx, customer.id)).toMatchObject({ status: 'active' });
  await reconcileSubscriptions(ctx);
  expect(await getSubscription(ctx, customer.id)).toMatchObject({ status: 'expired', hasActiveSubscription: false });
});
