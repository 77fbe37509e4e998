import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Payment, Subscription } from '#contracts/billing.ts';
import { clearSession, startSession, useSession, setSubscription } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { samplePayment, sampleSubscription, sampleMembership, sampleUser } from '#web/testing/samples.ts';
import { SubscriptionSection } from './subscription-section.tsx';

const next = '2026-12-14T09:12:00.000Z';
const later = '2126-12-14T09:12:00.000Z';
const renewing = sampleSubscription({}, { next_payment_at: next, paid_until: later });
const ending = sampleSubscription({ status: 'cancelled' }, { access_ends_at: next, can_resume: true });

function Section() {
  const { subscription } = useSession();
  return subscription && <SubscriptionSection subscription={subscription} />;
}

function open(subscription: Subscription, answers: Record<string, (request: Request) => Answer> = {}) {
  startSession({ token: 'token', user: sampleUser() });
  setSubscription(subscription);
  onTestFinished(clearSession);
  const requests = answerRequests({
    'GET /api/subscription/payments': () => ({ body: { data: [samplePayment()], total: 1, page: 1, pageSize: 10 } }),
    'GET /api/user/me': () => ({ body: { ...sampleMembership(), user: sampleUser(), subscription } }),
    ...answers,
  });
  render(inRouter(<Section />, '/settings').page);
  return requests;
}

const card = page.getByRole('region', { name: 'Subscription' });
const cancel = page.getByRole('button', { name: 'Cancel subscription' });
const resume = page.getByRole('button', { name: 'Resume subscription' });

beforeEach(() => page.viewport(1280, 900));

test('shows the plan, its state, the next payment, and where payments are seen to', async () => {
  open(renewing);
  for (const text of ['Premium Plan, $9.99 a month', 'Active', `$9.99 on ${formatLongDate(next)}`]) {
    await expect.element(card).toHaveTextContent(text);
  }
  await expect.element(card).not.toHaveTextContent('Test mode');
  await expect
    .element(page.getByRole('link', { name: 'PayPal' }))
    .toHaveAttribute('href', 'https://www.paypal.com/myaccount/autopay/');
});

test.each([
  ['Since', '2026-01-14T09:12:00.000Z'],
  ['Begins', later],
])('says when it began, or is to: %s', async (term, started_at) => {
  open(sampleSubscription({}, { started_at, next_payment_at: later }));
  await expect.element(card).toHaveTextContent(`${term}${formatLongDate(started_at)}`);
});

test('a cancellation says first what it means, and can be taken back', async () => {
  open(renewing, {
    'POST /api/subscription/cancel': () => ({ body: ending }),
    'POST /api/subscription/resume': () => ({ body: renewing }),
  });
  await cancel.click();
  const dialog = page.getByRole('alertdialog', { name: 'Cancel your subscription?' });
  await expect
    .element(dialog)
    .toHaveTextContent(`You keep access until ${formatLongDate(later)} and are not charged again.`);
  await expect.element(dialog).toHaveTextContent('phones stay linked for 30 days');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect.element(page.getByText('Subscription cancelled')).toBeVisible();
  await expect.element(card).toHaveTextContent(`Access until${formatLongDate(next)}`);
  await resume.click();
  await expect.element(page.getByText('Subscription resumed')).toBeVisible();
  await expect.element(cancel).toBeVisible();
});

test.each([
  ['past_due', { access_ends_at: later, paid_until: '2026-01-14T09:12:00.000Z' }],
  ['active', { access_ends_at: later, paid_until: null }],
] as const)('a %s customer without paid time left loses access at once by cancelling', async (status, current) => {
  open(sampleSubscription({ status }, current));
  await cancel.click();
  const dialog = page.getByRole('alertdialog');
  await expect.element(dialog).toHaveTextContent('your access ends at once');
  await expect.element(dialog).not.toHaveTextContent('You keep access');
});

test('a cancellation that fails is shown and changes nothing', async () => {
  open(renewing, { 'POST /api/subscription/cancel': () => problem(503, 'payments_unavailable', '') });
  await cancel.click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect.element(page.getByText('Failed to cancel the subscription')).toBeVisible();
  await dialog.getByRole('button', { name: 'Keep it' }).click();
  await expect.element(card).toHaveTextContent('Next payment');
});

test('a subscription that turns out to be over for good offers a new one, paid when the old one ends', async () => {
  const over = sampleSubscription({ status: 'cancelled' }, { access_ends_at: next, can_resume: false });
  const requests = open(ending, {
    'POST /api/subscription/resume': () => problem(409, 'cancelled_for_good', 'It has been cancelled for good'),
    'GET /api/user/me': () => ({ body: { ...sampleMembership(), user: sampleUser(), subscription: over } }),
    'POST /api/subscription/create-order': () => problem(503, 'payments_unavailable', 'Not now'),
  });
  await resume.click();
  await expect.element(page.getByText('It has been cancelled for good')).toBeVisible();
  await page.getByRole('button', { name: 'Subscribe again' }).click();
  await expect.element(card).toHaveTextContent(`the first payment is taken on ${formatLongDate(next)}`);
  await expect.element(page.getByText('Not now')).toBeVisible();
  const order = requests.find(({ url }) => url.endsWith('/create-order'));
  expect(await order?.json()).toEqual({ planId: 1 });
});

test('access that was granted is followed by a subscription, in test mode too', async () => {
  const granted = sampleSubscription(
    { status: 'cancelled', provider: 'test' },
    { provider: 'test', access_ends_at: next, can_resume: false, manage_url: null },
  );
  const active = sampleSubscription({ provider: 'test' });
  const order = { planId: 1, paypalPlanId: null, provider: 'test', startsAt: null, status: 'approval_pending' };
  open(granted, {
    'POST /api/subscription/create-order': () => ({ body: { ...order, orderId: 'TEST-1' } }),
    'POST /api/subscription/test-approval': () => ({ body: { orderId: 'TEST-1', status: 'approved' } }),
    'POST /api/subscription/capture-order': () => ({ body: active }),
    'GET /api/user/me': () => ({ body: { ...sampleMembership(), user: sampleUser(), subscription: active } }),
  });
  await expect.element(card).toHaveTextContent(`Subscribe before ${formatLongDate(next)} and nothing stops.`);
  await page.getByRole('button', { name: 'Subscribe again' }).click();
  await page.getByRole('button', { name: 'Approve' }).click();
  await expect.element(card).toHaveTextContent('Active');
});

test('a failed payment says what to do and until when', async () => {
  open(sampleSubscription({ status: 'past_due' }, { access_ends_at: next }));
  await expect.element(card).toHaveTextContent('Your last payment failed');
  await expect.element(card).toHaveTextContent(`settle it there by ${formatLongDate(next)}`);
  await expect.element(page.getByRole('link', { name: 'Open PayPal' })).toBeVisible();
});

const table = page.getByRole('table', { name: 'Payments' });

test('lists the payments with what became of them, a page at a time', async () => {
  const payments: Payment[] = [
    samplePayment({ id: 4, status: 'failed' }),
    samplePayment({ id: 3, amount: 1234.5, status: 'refunded' }),
  ];
  open(renewing, {
    'GET /api/subscription/payments': (request) => {
      const number = Number(new URL(request.url).searchParams.get('page'));
      const data = number === 1 ? payments : [samplePayment({ id: 1, status: 'reversed' })];
      return { body: { data, total: 11, page: number, pageSize: 10 } };
    },
  });
  await expect.element(table.getByRole('row').nth(1)).toHaveTextContent(/14 Oct 2026.*I-BW452GLLEP1GFailed\$9\.99/);
  await expect.element(table.getByRole('row').nth(2)).toHaveTextContent('Refunded$1,234.50');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect.element(table.getByRole('row').nth(1)).toHaveTextContent('Reversed');
});

test('says that nothing was paid yet, and what failed with a way to try again', async () => {
  let answer: Answer = problem(503, 'busy', '');
  open(renewing, { 'GET /api/subscription/payments': () => answer });
  await expect.element(page.getByRole('alert')).toHaveTextContent('Failed to load payments');
  answer = { body: { data: [], total: 0, page: 1, pageSize: 10 } };
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('No payments yet')).toBeVisible();
});

test('a trial leads to the plan in place of a cancellation', async () => {
  open(sampleSubscription({ status: 'none', hasActiveSubscription: true, trial_ends_at: later }, null));
  await expect.element(card).toHaveTextContent(`sandbox numbers until ${formatLongDate(later)}`);
  await expect.element(page.getByRole('link', { name: 'Choose a plan' })).toHaveAttribute('href', '/subscription');
  await expect.element(cancel).not.toBeInTheDocument();
});
