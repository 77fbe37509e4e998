import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { cancelSubscription } from '#contracts/billing.ts';
import { signUp } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { dayMs, patience, payWith, payer, startPayPalProduct } from '#tests/support/paypal-product.ts';
import type { PayPalProduct } from '#tests/support/paypal-product.ts';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';

let smtp: Awaited<ReturnType<typeof startSmtpStandIn>>;
let product: PayPalProduct;
beforeAll(async () => {
  smtp = await startSmtpStandIn();
  product = await startPayPalProduct({ SMTP_URL: smtp.url });
});
beforeEach(() => {
  smtp.mails.length = 0;
});
afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

/** But for the mail that asks to confirm the address. */
const mailsTo = (customer: Customer) =>
  smtp.mails
    .filter(({ to }) => to === customer.email)
    .map(({ email }) => email.subject)
    .filter((subject) => subject !== 'Confirm your email address');

async function confirmedPayer(): Promise<Awaited<ReturnType<typeof payer>>> {
  const customer = await payer(product);
  const confirmed = product.app.ctx.db.updateTable('accounts').set({ email_unconfirmed_since: null });
  await confirmed.where('id', '=', customer.id).execute();
  return customer;
}

const noticesOf = ({ id }: Customer) =>
  product.app.ctx.db
    .selectFrom('subscription_notices')
    .selectAll()
    .where('account_id', '=', id)
    .orderBy('id')
    .execute();

test('each is mailed once: payment failed, access ended, welcome back', async () => {
  const customer = await confirmedPayer();
  customer.subscription.hasFunds = false;
  await product.pass(31 * dayMs);
  await expect.poll(() => mailsTo(customer), patience).toEqual(['Your Dovepost payment failed']);
  // Asked again, told again, and tried again by PayPal: that is not news.
  await product.pass(2 * 3_600_000);
  await product.reconcile();
  await product.pass(3 * dayMs);
  await product.reconcile();
  await product.pass(6 * dayMs);
  await product.reconcile();
  await expect
    .poll(() => mailsTo(customer), patience)
    .toEqual(['Your Dovepost payment failed', 'Your Dovepost subscription has ended']);

  product.paypal.ledger.settleDebt(customer.subscription);
  await product.pass(1000);
  await expect.poll(() => mailsTo(customer), patience).toContain('Welcome back to Dovepost');
  // A mail is sent first, and noted as sent then.
  await expect
    .poll(() => noticesOf(customer), patience)
    .toMatchObject(
      ['payment_failed', 'access_ended', 'welcome_back'].map((occasion) => ({ occasion, next_attempt_at: null })),
    );
});

test('a cancellation is followed by a notice of the last day, one of the end, and a way back', async () => {
  const customer = await confirmedPayer();
  await customer.api.call(cancelSubscription);
  await expect.poll(() => mailsTo(customer), patience).toEqual(['Your Dovepost subscription is cancelled']);
  await product.pass(32 * dayMs);
  await product.reconcile();
  await payWith(product, customer);
  await expect
    .poll(() => mailsTo(customer), patience)
    .toEqual([
      'Your Dovepost subscription is cancelled',
      'Your Dovepost subscription has ended',
      'Welcome back to Dovepost',
    ]);
});

test('an account that never had access gets no notice, nor one that just got it', async () => {
  await signUp(product.app.url);
  const customer = await confirmedPayer();
  await product.reconcile();
  expect(await noticesOf(customer)).toEqual([]);
});
