import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { page } from 'vitest/browser';
import type { Subscription } from '#contracts/billing.ts';
import { clearSession, setSubscription, startSession } from '#web/shared/session.ts';
import { formatLongDate } from '#web/shared/time-format.ts';
import { answerRequests } from '#web/testing/answer-requests.ts';
import { inRouter } from '#web/testing/in-router.tsx';
import { render } from '#web/testing/render.tsx';
import { sampleSubscription, sampleMembership, sampleUser } from '#web/testing/samples.ts';
import { SubscriptionBanner } from './subscription-banner.tsx';

const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();

beforeEach(() => sessionStorage.clear());

function open(subscription: Subscription): { address: () => string } {
  startSession({ token: 'token', user: sampleUser() });
  setSubscription(subscription);
  onTestFinished(clearSession);
  const { page: element, address } = inRouter(<SubscriptionBanner />);
  render(element);
  return { address };
}

const banner = page.getByRole('region', { name: 'Subscription notice' });
const dismiss = page.getByRole('button', { name: 'Dismiss' });

test('a failed payment says until when, leads to the provider, and cannot be dismissed', async () => {
  const end = inDays(2);
  open(sampleSubscription({ status: 'past_due' }, { access_ends_at: end }));
  await expect.element(banner).toHaveTextContent('Your last payment failed');
  await expect.element(banner).toHaveTextContent(`You have access until ${formatLongDate(end)}.`);
  const link = page.getByRole('link', { name: 'Fix the payment' });
  await expect.element(link).toHaveAttribute('href', 'https://www.paypal.com/myaccount/autopay/');
  await expect.element(link).toHaveAttribute('rel', 'noreferrer');
  await expect.element(dismiss).not.toBeInTheDocument();
});

test('without a page at the provider, a failed payment leads to the settings', async () => {
  const { address } = open(sampleSubscription({ status: 'past_due' }, { access_ends_at: inDays(2), manage_url: null }));
  await page.getByRole('link', { name: 'Fix the payment' }).click();
  expect(address()).toBe('/settings#subscription');
});

test('a cancellation is dismissed while its end is days away, and comes back when its end changes', async () => {
  const end = inDays(20);
  open(sampleSubscription({ status: 'cancelled' }, { access_ends_at: end, can_resume: true }));
  await expect.element(banner).toHaveTextContent(`Your access ends on ${formatLongDate(end)}`);
  await expect.element(page.getByRole('link', { name: 'Resume subscription' })).toBeVisible();
  await dismiss.click();
  await expect.element(banner).not.toBeInTheDocument();
  setSubscription(sampleSubscription({ status: 'cancelled' }, { access_ends_at: inDays(19) }));
  await expect.element(banner).toBeVisible();
  await expect.element(page.getByRole('link', { name: 'Subscribe again' })).toBeVisible();
});

test('a cancellation whose end is near stays', async () => {
  open(sampleSubscription({ status: 'cancelled' }, { access_ends_at: inDays(2) }));
  await expect.element(banner).toBeVisible();
  await expect.element(dismiss).not.toBeInTheDocument();
});

test('a subscription that renews is not spoken of, and a resumed one no longer', async () => {
  open(sampleSubscription({ status: 'cancelled' }, { access_ends_at: inDays(2) }));
  await expect.element(banner).toBeVisible();
  setSubscription(sampleSubscription());
  await expect.element(banner).not.toBeInTheDocument();
});

test('once access has ended by the clock, the page asks for the current user', async () => {
  const requests = answerRequests({
    'GET /api/user/me': () => ({
      body: { ...sampleMembership(), user: sampleUser(), subscription: sampleSubscription({ status: 'expired' }) },
    }),
  });
  open(sampleSubscription({ status: 'cancelled' }, { access_ends_at: new Date(Date.now() - 5000).toISOString() }));
  await expect.poll(() => requests.length).toBe(1);
  await expect.element(banner).not.toBeInTheDocument();
});

test('a trial says until when it lasts, and leads to the plan', async () => {
  const trial_ends_at = inDays(10);
  const { address } = open(sampleSubscription({ status: 'none', hasActiveSubscription: true, trial_ends_at }, null));
  await expect.element(banner).toHaveTextContent(`You are trying Dovepost until ${formatLongDate(trial_ends_at)}`);
  await expect.element(dismiss).not.toBeInTheDocument();
  await page.getByRole('link', { name: 'Choose a plan' }).click();
  expect(address()).toBe('/subscription');
});
