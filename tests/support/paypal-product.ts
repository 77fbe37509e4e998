import { getCurrentUser } from '#contracts/accounts.ts';
import { captureOrder, createOrder, listPayments } from '#contracts/billing.ts';
import type { Order } from '#contracts/billing.ts';
import { reconcileSubscriptions } from '#server/modules/identity/billing/index.ts';
import { ensurePartitions } from '#server/platform/db/partitions.ts';
import { PayPalStandIn } from '#tests/paypal/stand-in.ts';
import type { Subscription } from '#tests/paypal/subscription.ts';
import { startTestApplication } from './application.ts';
import type { TestApplication } from './application.ts';
import { signUp } from './customer.ts';
import type { Customer } from './customer.ts';
import { createTestClock } from './test-clock.ts';
import type { TestClock } from './test-clock.ts';

export const hourMs = 3_600_000;
export const dayMs = 24 * hourMs;
const startsAt = new Date('2026-07-10T12:00:00.000Z');
/** When the month ends that a customer has paid for who subscribes at the start. */
export const firstMonthEnds = '2026-08-10T10:00:00.000Z';
export const untilFirstMonthEnds = Date.parse(firstMonthEnds) - startsAt.getTime();
export const planId = 1;
export const patience = { timeout: 60_000 };

/** Somebody who pays at PayPal, and what PayPal knows of it. */
export type Payer = Customer & { orderId: string; subscription: Subscription };

/** The whole product over the stand-in for PayPal, both by one clock. */
export type PayPalProduct = {
  app: TestApplication;
  paypal: PayPalStandIn;
  clock: TestClock;
  /** Time goes on for both; PayPal bills what falls due, and the product hears of what is delivered. */
  pass(ms: number): Promise<void>;
  /** Runs the job that the schedule starts every few minutes. */
  reconcile(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startPayPalProduct(env: Record<string, string> = {}): Promise<PayPalProduct> {
  // In a month of 31 days.
  const clock = createTestClock(startsAt);
  const paypal = await PayPalStandIn.listen({ clock });
  const app = await startTestApplication({ clock, env: { ...paypal.settings, ...env } });
  // Records carry the time of the database, whatever the clock says.
  await ensurePartitions(app.ctx.db, new Date());
  paypal.notifyProduct(app.url);
  return {
    app,
    paypal,
    clock,
    async pass(ms) {
      clock.advance(ms);
      await keepSignedIn(app, clock.now());
      paypal.ledger.runDue();
      await paypal.notifications.whenDelivered();
      await whenEventsAreWorkedOff(app);
    },
    reconcile: () => reconcileSubscriptions(app.ctx),
    async [Symbol.asyncDispose]() {
      await app[Symbol.asyncDispose]();
      await paypal.close();
    },
  };
}

/** Months pass in a moment: nobody is signed out meanwhile. */
async function keepSignedIn({ ctx }: TestApplication, now: Date): Promise<void> {
  const expiresAt = new Date(now.getTime() + dayMs);
  await ctx.db.updateTable('sessions').set({ last_used_at: now, expires_at: expiresAt }).execute();
}

/** Resolves once nothing of what was delivered is left to do. */
async function whenEventsAreWorkedOff({ ctx }: TestApplication): Promise<void> {
  const left = async () =>
    await ctx.db.selectFrom('payment_events').select('event_id').where('next_attempt_at', 'is not', null).execute();
  for (let round = 0; (await left()).length > 0; round += 1) {
    if (round === 500) throw new Error('Events were not worked off');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

export async function placeOrder({ api }: Customer): Promise<Order> {
  return (await api.call(createOrder, { body: { planId } })).body;
}

/** Orders, approves at PayPal, and comes back: what a payer does in the browser. */
export async function payWith({ paypal }: PayPalProduct, customer: Customer): Promise<Payer> {
  const { orderId = '' } = await placeOrder(customer);
  const subscription = paypal.ledger.get(orderId);
  paypal.ledger.approve(subscription);
  await customer.api.call(captureOrder, { body: { orderId, planId } });
  return { ...customer, orderId, subscription };
}

export async function payer(product: PayPalProduct): Promise<Payer> {
  return payWith(product, await signUp(product.app.url));
}

export async function subscriptionOf({ api }: Customer) {
  return (await api.call(getCurrentUser)).body.subscription;
}

export async function paymentsOf({ api }: Customer) {
  return (await api.call(listPayments, { query: {} })).body.data;
}
