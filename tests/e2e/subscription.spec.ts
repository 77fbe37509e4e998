import type { Page } from '@playwright/test';
import { createOrder } from '#contracts/billing.ts';
import { signUp } from '#tests/support/customer.ts';
import { expectAccessible } from './axe.ts';
import { expect, test } from './paypal-fixtures.ts';
import type { PaidProduct } from './paypal-fixtures.ts';
import { signInAs } from './session.ts';

const dayMs = 86_400_000;
const plan = (page: Page) => page.getByRole('region', { name: 'Premium Plan' });
const subscription = (page: Page) => page.getByRole('region', { name: 'Subscription', exact: true });
const banner = (page: Page) => page.getByRole('region', { name: 'Subscription notice' });
const payments = (page: Page) => page.getByRole('table', { name: 'Payments' });
const heading = (page: Page) => page.getByRole('heading', { level: 1 });

async function signUpOnPage(page: Page, email: string): Promise<void> {
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: /sign up|create/i }).click();
  await expect(page).toHaveURL('/subscription');
}

/** On PayPal's own page. */
async function answerAtPayPal(page: Page, answer: 'Agree and subscribe' | 'Cancel and return'): Promise<void> {
  await expect(page.getByRole('heading', { name: 'Approve the subscription' })).toBeVisible();
  await page.getByRole('button', { name: answer }).click();
}

async function subscribeOnPage(page: Page): Promise<void> {
  await plan(page).getByRole('button').click();
  await answerAtPayPal(page, 'Agree and subscribe');
}

async function expectMail(paid: PaidProduct, to: string, subject: string): Promise<string> {
  await expect.poll(() => paid.mailTo(to, subject)?.text).toContain('Hello Ada Lovelace,');
  return paid.mailTo(to, subject)?.text ?? '';
}

/** Follows the link that sign-up mails: nothing else is mailed before. */
async function confirmAddress(page: Page, paid: PaidProduct, email: string): Promise<void> {
  const text = await expectMail(paid, email, 'Confirm your email address');
  const token = /confirm-email\?token=(\w+)/.exec(text)?.[1] ?? '';
  const answer = await page.request.post('/api/auth/confirm-email', { data: { token } });
  expect(answer.status()).toBe(200);
}

/** Time goes by while somebody is there now and then, so that the session lasts. */
async function passWeeks(page: Page, paid: PaidProduct, weeks: number): Promise<void> {
  for (let week = 0; week < weeks; week += 1) {
    await paid.pass(7 * dayMs);
    await page.reload();
    await expect(heading(page)).toBeVisible();
  }
}

test('from the first payment through a cancellation and a lapse to a welcome back', async ({ page, paid }) => {
  test.setTimeout(180_000);
  const email = `ada-${Date.now()}@example.com`;
  await signUpOnPage(page, email);
  await confirmAddress(page, paid, email);
  await expect(plan(page)).toContainText('$9.99 a month');
  await expect(page.getByText('Test mode.')).toBeHidden();
  // The toast lives for seconds: it is awaited from the moment in which it can come.
  const toast = page.getByText('Your subscription is active').waitFor();
  await subscribeOnPage(page);
  await expect(page).toHaveURL('/');
  await toast;
  await expect(banner(page)).toBeHidden();

  await page.getByRole('link', { name: 'Settings' }).click();
  await expect(subscription(page)).toContainText('Premium Plan, $9.99 a month');
  await expect(subscription(page)).toContainText(/Next payment\$9\.99 on \d/);
  await expect(payments(page).getByRole('row').filter({ hasText: '$9.99' })).toContainText('Completed');

  await subscription(page).getByRole('button', { name: 'Cancel subscription' }).click();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog).toContainText(/You keep access until \d+ \w+ \d{4} and are not charged again/);
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(page.getByText('Subscription cancelled')).toBeVisible();
  await expect(banner(page)).toContainText(/Your access ends on \d+ \w+ \d{4}/);
  expect(await expectMail(paid, email, 'Your Dovepost subscription is cancelled')).toContain('/settings#subscription');

  // PayPal's cancellations are final: going on is a new subscription that costs when the paid period is over.
  await page.getByRole('link', { name: 'Dashboard' }).click();
  await banner(page).getByRole('link', { name: 'Subscribe again' }).click();
  await expect(page).toHaveURL('/settings#subscription');
  await subscription(page).getByRole('button', { name: 'Subscribe again' }).click();
  await expect(page.getByText(/the first payment on \d{4}-/)).toBeVisible();
  await answerAtPayPal(page, 'Agree and subscribe');
  await expect(page).toHaveURL(/\/settings/);
  await expect(subscription(page)).toContainText('Next payment');
  await expect(banner(page)).toBeHidden();

  await passWeeks(page, paid, 5);
  await expect(payments(page).getByRole('row').filter({ hasText: 'Completed' })).toHaveCount(2);

  // While the page is open, a payment fails.
  paid.newestOrder().hasFunds = false;
  await passWeeks(page, paid, 3);
  await paid.pass((paid.newestOrder().nextBillingAt?.getTime() ?? 0) - paid.now().getTime() + 1000);
  await expect(banner(page)).toContainText('Your last payment failed');
  await expect(banner(page)).toContainText(/You have access until \d+ \w+ \d{4}/);
  await expect(subscription(page)).toContainText('Past due');
  await expect(payments(page).getByRole('row').filter({ hasText: 'Failed' })).toBeVisible();
  expect(await expectMail(paid, email, 'Your Dovepost payment failed')).toMatch(/access until \w+ \d+ \w+/);

  await paid.pass(3 * dayMs);
  await expect(page).toHaveURL('/subscription');
  await expect(heading(page)).toContainText('Your access ended on');
  await expect(page.getByText('A payment failed and was not made up for within three days.')).toBeVisible();
  await expect(page.getByText('PayPal may still take the payment')).toBeVisible();
  await expect(page.getByRole('list', { name: 'What is kept' })).toContainText('Nothing is deleted');
  await expect(payments(page).getByRole('row').filter({ hasText: 'Failed' }).first()).toBeVisible();
  await page.goto('/profiles');
  await expect(page).toHaveURL('/subscription');
  expect(await expectMail(paid, email, 'Your Dovepost subscription has ended')).toContain('/subscription\n');

  await page.getByRole('button', { name: 'Subscribe again' }).click();
  // Weeks have passed since the person last showed who they are.
  const proof = page.getByRole('dialog', { name: 'Is it you?' });
  await proof.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await proof.getByRole('button', { name: 'Continue' }).click();
  await answerAtPayPal(page, 'Agree and subscribe');
  await expect(page).toHaveURL('/profiles');
  await expect(page.getByText('Your subscription is active')).toBeVisible();
  await expect(banner(page)).toBeHidden();
  await expectMail(paid, email, 'Welcome back to Dovepost');
});

test('a customer who leaves PayPal without agreeing reads that nothing was charged, and can try again', async ({
  page,
  paid,
}) => {
  await signInAs(page, '/subscription', await signUp(paid.url));
  await plan(page).getByRole('button', { name: 'Subscribe' }).click();
  await answerAtPayPal(page, 'Cancel and return');
  await expect(page).toHaveURL(/\/subscription\?cancelled=1/);
  await expect(page.getByText('You left before agreeing to the payment')).toBeVisible();
  await expect(page.getByText(/Nothing was charged/)).toBeVisible();
  expect(paid.newestOrder().status).toBe('APPROVAL_PENDING');
  await plan(page).getByRole('button', { name: 'Try again' }).click();
  await answerAtPayPal(page, 'Agree and subscribe');
  await expect(page).toHaveURL('/');
});

test('while PayPal cannot be reached nothing is lost', async ({ page, paid }) => {
  const { faults, notifications } = paid.paypal;
  await signInAs(page, '/subscription', await signUp(paid.url));
  faults.outage = 503;
  faults.where = /^\/v1\//;
  await plan(page).getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText(/^Payments cannot be reached right now/)).toBeVisible();
  faults.outage = 'none';
  await plan(page).getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('heading', { name: 'Approve the subscription' })).toBeVisible();
  faults.outage = 503;
  notifications.faults.areLost = true;
  await answerAtPayPal(page, 'Agree and subscribe');
  await expect(heading(page)).toHaveText('Failed to capture subscription order');
  await page.reload();
  await expect(heading(page)).toHaveText('Failed to capture subscription order');
  faults.outage = 'none';
  notifications.faults.areLost = false;
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page).toHaveURL('/');
  expect(paid.newestOrder().transactions).toHaveLength(1);
});

test('an approval that PayPal is slow to confirm is waited for', async ({ page, paid }) => {
  await signInAs(page, '/subscription', await signUp(paid.url));
  await plan(page).getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByRole('heading', { name: 'Approve the subscription' })).toBeVisible();
  const order = paid.newestOrder();
  await page.goto(`/subscription?subscription_id=${order.id}&ba_token=${order.baToken}&token=${order.token}`);
  await expect(heading(page)).toHaveText('Your payment is on its way');
  paid.paypal.notifications.faults.areLost = true;
  paid.paypal.ledger.approve(order);
  await expect(page).toHaveURL('/');
  paid.paypal.notifications.faults.areLost = false;
});

test('a customer who comes back from paying signed out has paid once signed in', async ({ page, paid }) => {
  const customer = await signUp(paid.url);
  const { body } = await customer.api.call(createOrder, { body: { planId: 1 } });
  paid.paypal.notifications.faults.areLost = true;
  await page.goto(body.approvalUrl ?? '');
  await answerAtPayPal(page, 'Agree and subscribe');
  await expect(page).toHaveURL('/login');
  await page.getByLabel('Email').fill(customer.email);
  await page.getByLabel('Password', { exact: true }).fill(customer.password);
  await page.getByRole('button', { name: /sign in|log in/i }).click();
  await expect(page.getByText('Your subscription is active')).toBeVisible();
  await expect(page).toHaveURL('/');
  paid.paypal.notifications.faults.areLost = false;
});

async function expectAccessibleAtAllWidths(page: Page, what: string): Promise<void> {
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // A table becomes a list with the frame after.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    await expectAccessible(page, `${what}, ${width} wide`);
  }
}

test('every state can be read by everybody, on every screen', async ({ page, paid }) => {
  test.setTimeout(180_000);
  await signInAs(page, '/subscription', await signUp(paid.url));
  await expectAccessibleAtAllWidths(page, 'nothing paid');
  await plan(page).getByRole('button', { name: 'Subscribe' }).click();
  await answerAtPayPal(page, 'Cancel and return');
  await expect(page.getByText('You left before agreeing to the payment')).toBeVisible();
  await expectAccessibleAtAllWidths(page, 'left before agreeing');
  await page.goto(`/subscription?subscription_id=${paid.newestOrder().id}`);
  await expect(heading(page)).toHaveText('Your payment is on its way');
  await page.goto('/subscription?subscription_id=I-NOBODYS');
  await expect(heading(page)).toHaveText('The payment was not approved');
  await expectAccessibleAtAllWidths(page, 'not approved');
  await page.getByRole('button', { name: 'Try again' }).click();
  await subscribeOnPage(page);
  await expect(page).toHaveURL('/');
  await page.goto('/settings');
  await expect(page.getByRole('list', { name: 'Payments' })).toContainText('$9.99');
  await subscription(page).getByRole('button', { name: 'Cancel subscription' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel subscription' }).click();
  await expect(banner(page)).toBeVisible();
  await expectAccessibleAtAllWidths(page, 'cancelled');
  await passWeeks(page, paid, 5);
  await expect(heading(page)).toContainText('Your access ended on');
  await expect(page.getByRole('list', { name: 'Payments' })).toContainText('$9.99');
  await expectAccessibleAtAllWidths(page, 'lapsed');
});
