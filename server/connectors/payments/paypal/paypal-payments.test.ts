import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '#server/platform/logger.ts';
import { PayPalStandIn } from '#tests/paypal/stand-in.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import type { TestClock } from '#tests/support/test-clock.ts';
import type { PaymentProvider } from '../port.ts';
import { createPayPalPayments } from './paypal-payments.ts';

let clock: TestClock;
let paypal: PayPalStandIn;
let payments: PaymentProvider;

function connect(timeoutMs = 10_000): PaymentProvider {
  const { clientId, clientSecret, planId, webhookId, url } = paypal;
  return createPayPalPayments({
    config: { clientId, clientSecret, planId, webhookId, baseUrl: url },
    publicUrl: 'https://post.example.com',
    planId: 1,
    clock,
    logger: createLogger('silent'),
    timeoutMs,
  });
}

beforeEach(async () => {
  clock = createTestClock(new Date('2026-07-10T12:00:00Z'));
  paypal = await PayPalStandIn.listen({ clock });
  payments = connect();
});
afterEach(() => paypal.close());

const order = { account: { id: 7, reference: 'me' }, planId: 1, requestId: 'first', startsAt: null };
const unavailable = { status: 503, code: 'payments_unavailable', headers: { 'retry-after': '10' } };

describe('the token', () => {
  test('is asked for once, and again when it is nearly over', async () => {
    await Promise.all([1, 2, 3].map(() => payments.findSubscription('I-NOBODY')));
    expect(paypal.tokens.issued).toBe(1);
    clock.advance((paypal.tokens.lifetimeSeconds - 61) * 1000);
    await payments.findSubscription('I-NOBODY');
    expect(paypal.tokens.issued).toBe(1);
    clock.advance(2000);
    await payments.findSubscription('I-NOBODY');
    expect(paypal.tokens.issued).toBe(2);
  });

  test('is asked for anew once when PayPal has revoked it', async () => {
    const { orderId } = await payments.createOrder(order);
    paypal.tokens.revokeAll();
    expect(await payments.findSubscription(orderId)).toMatchObject({ orderId });
    expect(paypal.tokens.issued).toBe(2);
  });

  test('refused at once is not requested without end', async () => {
    paypal.whileAsked = async () => paypal.tokens.revokeAll();
    await expect(payments.findSubscription('I-NOBODY')).rejects.toMatchObject(unavailable);
    expect(paypal.tokens.issued).toBe(2);
  });

  test('of wrong credentials is no answer about a subscription', async () => {
    const { clientId, planId, webhookId, url } = paypal;
    const stranger = createPayPalPayments({
      config: { clientId, clientSecret: 'wrong', planId, webhookId, baseUrl: url },
      publicUrl: 'https://post.example.com',
      planId: 1,
      clock,
      logger: createLogger('silent'),
    });
    await expect(stranger.findSubscription('I-NOBODY')).rejects.toMatchObject(unavailable);
  });
});

describe('an order', () => {
  test('is one and the same for one request, whatever became of the answer', async () => {
    paypal.faults.dropAnswers = 1;
    await expect(payments.createOrder(order)).rejects.toMatchObject(unavailable);
    const [made] = paypal.ledger.subscriptions.keys();
    expect(await connect().createOrder(order)).toMatchObject({ orderId: made });
    expect((await payments.createOrder({ ...order, requestId: 'second' })).orderId).not.toBe(made);
    expect(paypal.ledger.subscriptions.size).toBe(2);
  });

  test('carries the account, where to return to, and when it begins to cost', async () => {
    const startsAt = new Date('2026-08-10T10:00:00Z');
    const { orderId, approvalUrl } = await payments.createOrder({ ...order, startsAt });
    expect(approvalUrl).toContain('ba_token=BA-');
    expect(paypal.ledger.get(orderId).request).toMatchObject({
      plan_id: paypal.planId,
      custom_id: 'me',
      start_time: '2026-08-10T10:00:00.000Z',
      application_context: {
        return_url: 'https://post.example.com/subscription',
        cancel_url: 'https://post.example.com/subscription?cancelled=1',
        shipping_preference: 'NO_SHIPPING',
      },
    });
  });
});

test('only PayPal itself says that it knows no such subscription', async () => {
  const { orderId } = await payments.createOrder(order);
  paypal.faults.outage = 404;
  paypal.faults.where = /subscriptions/;
  await expect(payments.findSubscription(orderId)).rejects.toMatchObject(unavailable);
  await expect(payments.cancel(orderId)).rejects.toMatchObject(unavailable);
  await expect(payments.listPayments(orderId, { from: clock.now(), to: clock.now() })).rejects.toMatchObject(
    unavailable,
  );
  paypal.faults.outage = 'none';
  expect(await payments.findSubscription('I-NOBODY')).toBeUndefined();
});

test('a subscription through its life, as PayPal answers it', async () => {
  const { orderId } = await payments.createOrder(order);
  const subscription = paypal.ledger.get(orderId);
  expect(await payments.findSubscription(orderId)).toMatchObject({ state: 'approval_pending', startedAt: null });
  paypal.ledger.approve(subscription);
  const nextPaymentAt = new Date('2026-08-10T10:00:00Z');
  const active = { state: 'active', accountReference: 'me', providerPlanId: paypal.planId, paymentFailedAt: null };
  expect(await payments.findSubscription(orderId)).toMatchObject({
    ...active,
    nextPaymentAt,
    paidUntil: nextPaymentAt,
  });

  subscription.hasFunds = false;
  clock.advance(31 * 86_400_000);
  expect(await payments.findSubscription(orderId)).toMatchObject({
    state: 'active',
    paymentFailedAt: nextPaymentAt,
    paidUntil: null,
    lastPaidAt: new Date('2026-07-10T12:00:00Z'),
  });
  clock.advance(10 * 86_400_000);
  expect(await payments.findSubscription(orderId)).toMatchObject({ state: 'suspended', nextPaymentAt: null });
  await payments.cancel(orderId);
  expect(await payments.findSubscription(orderId)).toMatchObject({ state: 'cancelled', nextPaymentAt: null });
  // Over already: nothing to end.
  await payments.cancel(orderId);
  await payments.cancel('I-NOBODY');
  expect(await payments.findSubscription('I-NOBODY')).toBeUndefined();
});

test('its payments, between two times', async () => {
  const made = paypal.approveWithButtons({ custom_id: 'me' });
  const from = new Date('2026-07-01T00:00:00Z');
  expect(await payments.listPayments(made.id, { from, to: from })).toEqual([]);
  clock.advance(32 * 86_400_000);
  paypal.ledger.runDue();
  const [first, second] = made.transactions;
  paypal.ledger.refund(made, first?.id ?? '');
  expect(await payments.listPayments(made.id, { from, to: clock.now() })).toEqual([
    { id: first?.id, amountCents: 999, currency: 'USD', status: 'refunded', paidAt: first?.time },
    { id: second?.id, amountCents: 999, currency: 'USD', status: 'completed', paidAt: second?.time },
  ]);
  expect(await payments.listPayments('I-NOBODY', { from, to: clock.now() })).toEqual([]);
});

describe('PayPal away', () => {
  test.each(['refused', 'nonsense', 429, 500, 503] as const)('%s', async (outage) => {
    paypal.faults.outage = outage;
    await expect(payments.createOrder(order)).rejects.toMatchObject(unavailable);
    await expect(payments.findSubscription('I-1')).rejects.toMatchObject(unavailable);
    await expect(payments.cancel('I-1')).rejects.toMatchObject(unavailable);
    paypal.faults.outage = 'none';
    expect(await payments.findSubscription('I-1')).toBeUndefined();
  });

  test.each(['hang', 'drip'] as const)('the client gives up on answers that never end: %s', async (outage) => {
    const hasty = connect(200);
    paypal.faults.outage = outage;
    await expect(hasty.findSubscription('I-1')).rejects.toMatchObject({
      ...unavailable,
      cause: { name: 'TimeoutError' },
    });
    // With a token at hand as well.
    paypal.faults.outage = 'none';
    await connect().findSubscription('I-1');
    Object.assign(paypal.faults, { outage, where: /billing/ });
    await expect(hasty.findSubscription('I-1')).rejects.toMatchObject(unavailable);
  });

  test('a token that comes late leaves the question less time, not more', async () => {
    paypal.faults.delayMs = 250;
    await expect(connect(400).findSubscription('I-1')).rejects.toMatchObject({ cause: { name: 'TimeoutError' } });
  });

  test('an answer with something else in it changes nothing', async () => {
    const made = paypal.approveWithButtons({});
    Object.assign(made, { status: 'PAUSED' });
    await expect(payments.findSubscription(made.id)).rejects.toMatchObject(unavailable);
  });
});
