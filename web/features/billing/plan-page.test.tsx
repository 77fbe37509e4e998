import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Subscription } from '#contracts/billing.ts';
import { clearSession, startSession } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleSubscription, samplePayment, sampleUser } from '#web/testing/samples.ts';
import { PlanPage } from './plan-page.tsx';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const since = daysAgo(3);
const newcomer = sampleSubscription({ status: 'none', plan: null }, null);

function open(
  subscription: Subscription,
  { wasCancelled = false, answers = {} }: { wasCancelled?: boolean; answers?: Record<string, () => Answer> } = {},
) {
  startSession({ token: 'token', user: sampleUser() });
  onTestFinished(clearSession);
  const requests = answerRequests({
    'GET /api/subscription/payments': () => ({ body: { data: [samplePayment()], total: 1, page: 1, pageSize: 10 } }),
    ...answers,
  });
  const { page: element, address } = inRouter(
    <PlanPage subscription={subscription} firstName="Maya" wasCancelled={wasCancelled} />,
    '/subscription',
  );
  render(element);
  return { requests, address };
}

const heading = page.getByRole('heading', { level: 1 });
const testNote = page.getByText('Test mode.');
const subscribe = page.getByRole('button', { name: 'Subscribe', exact: true });

beforeEach(() => page.viewport(1280, 900));

test('offers the plan, says how it is paid, and asks for no history of somebody new', async () => {
  const { requests } = open(newcomer);
  await expect.element(heading).toHaveTextContent('One plan, everything in it');
  const card = page.getByRole('region', { name: 'Premium Plan' });
  for (const text of ['$9.99 a month', 'Access to all WhatsApp API features', 'PayPal']) {
    await expect.element(card).toHaveTextContent(text);
  }
  for (const feature of newcomer.subscriptionPlan.features) {
    await expect.element(page.getByRole('listitem').filter({ hasText: feature })).toBeVisible();
  }
  await expect.element(testNote).not.toBeInTheDocument();
  expect(requests).toHaveLength(0);
});

test('says when a trial ended, and that what was made in it is kept', async () => {
  open({ ...newcomer, trial_ended_at: since });
  await expect.element(heading).toHaveTextContent(`Your trial ended on ${formatLongDate(since)}`);
  await expect.element(page.getByText('All that you have made is kept.')).toBeVisible();
  await expect.element(subscribe).toBeEnabled();
});

test('marks test mode, where the payer is played on the page', async () => {
  open(
    { ...newcomer, provider: 'test' },
    {
      answers: {
        'POST /api/subscription/create-order': () => ({
          body: {
            planId: 1,
            paypalPlanId: null,
            provider: 'test',
            orderId: 'TEST-1',
            startsAt: null,
            status: 'approval_pending',
          },
        }),
        'POST /api/subscription/test-approval': () => ({ body: { orderId: 'TEST-1', status: 'declined' } }),
      },
    },
  );
  await expect.element(testNote).toBeVisible();
  await subscribe.click();
  await expect.element(testNote).toBeVisible();
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect.element(page.getByText('The payment was declined')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
});

test.each([
  [
    problem(503, 'payments_unavailable', 'Payments cannot be reached right now.'),
    'Payments cannot be reached right now.',
  ],
  [problem(503, 'payments_unavailable', ''), 'Failed to create subscription order'],
])('an order that cannot be made is told, and can be tried again', async (answer, text) => {
  open(newcomer, { answers: { 'POST /api/subscription/create-order': () => answer } });
  await subscribe.click();
  await expect.element(page.getByText(text)).toBeVisible();
  await expect.element(subscribe).toBeEnabled();
});

test('a customer who left the provider reads that nothing was charged', async () => {
  open(sampleSubscription({ status: 'pending' }, { started_at: null }), { wasCancelled: true });
  await expect.element(page.getByText('You left before agreeing to the payment')).toBeVisible();
  await expect.element(page.getByText(/^Nothing was charged/)).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
});

test('a new order does not make somebody who has paid before a newcomer', async () => {
  open(sampleSubscription({ status: 'pending' }, { started_at: null }), { wasCancelled: true });
  await expect.element(heading).toHaveTextContent('Your access has ended');
  await expect.element(page.getByRole('list', { name: 'What is kept' })).toBeVisible();
  await expect.element(page.getByRole('table', { name: 'Payments' })).toHaveTextContent('$9.99');
});

test('a first payment that failed opened nothing, and nothing has lapsed', async () => {
  const data = [samplePayment({ status: 'failed' })];
  const { requests } = open(sampleSubscription({ status: 'pending' }, { started_at: null }), {
    answers: { 'GET /api/subscription/payments': () => ({ body: { data, total: 1, page: 1, pageSize: 10 } }) },
  });
  await expect.poll(() => requests.length).toBe(1);
  await expect.element(heading).toHaveTextContent('One plan, everything in it');
  await expect.element(page.getByText('When am I charged?')).toBeVisible();
});

test('a first payment that fails is shown, and the account stays a newcomer', async () => {
  open(sampleSubscription({ status: 'suspended' }, { started_at: since, access_ends_at: null }));
  await expect.element(heading).toHaveTextContent('One plan, everything in it');
  await expect.element(page.getByText('The payment was declined')).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Try again' })).toBeEnabled();
});

test('an order that waits can be checked', async () => {
  const { address } = open(sampleSubscription({ status: 'pending' }, { started_at: null }));
  await page.getByRole('link', { name: 'Check the payment' }).click();
  expect(address()).toBe('/subscription?subscription_id=I-BW452GLLEP1G');
});

test.each([
  ['suspended', 'A payment failed and was not made up for within three days.'],
  ['expired', 'Your subscription was cancelled, and the period that was paid for is over.'],
] as const)('a %s account sees what happened, since when, what is kept and what was paid', async (status, reason) => {
  open(sampleSubscription({ status }, { access_ends_at: since }));
  await expect.element(heading).toHaveTextContent(`Your access ended on ${formatLongDate(since)}`);
  await expect.element(page.getByText(reason)).toBeVisible();
  const kept = page.getByRole('list', { name: 'What is kept' });
  for (const text of ['Nothing is deleted', 'Phones stay linked for 30 days', 'Queued messages wait']) {
    await expect.element(kept).toHaveTextContent(text);
  }
  await expect.element(page.getByRole('table', { name: 'Payments' })).toHaveTextContent('$9.99');
  await expect.element(page.getByRole('button', { name: 'Subscribe again' })).toBeEnabled();
});

test('a payment that is still tried can be settled at PayPal, or stopped', async () => {
  const owing = sampleSubscription({ status: 'suspended' }, { access_ends_at: since });
  const { requests } = open(owing, {
    answers: {
      'POST /api/subscription/cancel': () => ({ body: sampleSubscription({ status: 'expired' }) }),
    },
  });
  await expect.element(page.getByText('PayPal may still take the payment')).toBeVisible();
  await expect
    .element(page.getByRole('link', { name: 'Open PayPal' }))
    .toHaveAttribute('href', 'https://www.paypal.com/myaccount/autopay/');
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const dialog = page.getByRole('alertdialog', { name: 'Cancel your subscription?' });
  await expect.element(dialog).toHaveTextContent('PayPal stops trying to take the payment');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await expect.element(page.getByText('Subscription cancelled')).toBeVisible();
  expect(requests.filter(({ url }) => url.endsWith('/cancel'))).toHaveLength(1);
});

test('a subscription that has ended for good offers no cancelling', async () => {
  open(sampleSubscription({ status: 'expired' }, { access_ends_at: since }));
  await expect.element(page.getByRole('button', { name: 'Subscribe again' })).toBeEnabled();
  await expect.element(page.getByRole('button', { name: 'Cancel subscription' })).not.toBeInTheDocument();
});

test('phones that stayed linked as long as they could are said to be signed out', async () => {
  open(sampleSubscription({ status: 'expired' }, { access_ends_at: daysAgo(31) }));
  await expect
    .element(page.getByRole('list', { name: 'What is kept' }))
    .toHaveTextContent('They are signed out since.');
});
