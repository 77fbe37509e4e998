import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import type { Subscription } from '#contracts/billing.ts';
import { clearSession, startSession } from '#web/shared/session.ts';
import { answerRequests, problem, type Answer } from '#web/testing/answer-requests.ts';
import { render } from '#web/testing/render.tsx';
import { sampleSubscription, sampleMembership, sampleUser } from '#web/testing/samples.ts';
import { ReturnPage } from './return-page.tsx';

const order = { orderId: 'I-BW452GLLEP1G', planId: 1 };
const active = sampleSubscription();
const pending = sampleSubscription({ status: 'pending' });
const notApproved = problem(402, 'payment_not_approved', 'The payment has not been approved');

/** `captures` are answered one after the other, the last one again and again; so are `states`. */
function open(captures: (() => Answer)[], states: Subscription[]) {
  startSession({ token: 'token', user: sampleUser() });
  onTestFinished(clearSession);
  const next = <T,>(answers: T[]): T => (answers.length > 1 ? answers.shift() : answers[0]) as T;
  const requests = answerRequests({
    'POST /api/subscription/capture-order': () => next(captures)(),
    'GET /api/user/me': () => ({ body: { ...sampleMembership(), user: sampleUser(), subscription: next(states) } }),
  });
  const onPaid = vi.fn();
  const onLeave = vi.fn();
  render(<ReturnPage order={order} onPaid={onPaid} onLeave={onLeave} />);
  return { onPaid, onLeave, captured: () => requests.filter(({ method }) => method === 'POST') };
}

const heading = page.getByRole('heading', { level: 1 });

beforeEach(() => page.viewport(1280, 800));

test('captures the order, loads the user anew and goes on', async () => {
  const { onPaid, captured } = open([() => ({ body: active })], [active]);
  await expect.element(heading).toHaveTextContent('Confirming your payment');
  await expect.poll(() => onPaid.mock.calls.length).toBe(1);
  await expect.element(page.getByText('Your subscription is active')).toBeVisible();
  expect(captured()).toHaveLength(1);
  expect(await captured()[0]?.json()).toEqual(order);
});

test('waits for a payment that is on its way, asks again by itself, and on demand', async () => {
  const { onPaid, captured } = open(
    [() => notApproved, () => notApproved, () => ({ body: active })],
    [pending, pending, active],
  );
  await expect.element(heading).toHaveTextContent('Your payment is on its way');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect.poll(() => captured().length).toBe(2);
  await expect.poll(() => onPaid.mock.calls.length).toBe(1);
});

test('an outage between two checks does not take the waiting back', async () => {
  const unavailable = problem(503, 'payments_unavailable', 'Payments cannot be reached right now.');
  const { captured } = open([() => notApproved, () => unavailable], [pending]);
  await expect.element(heading).toHaveTextContent('Your payment is on its way');
  await page.getByRole('button', { name: 'Check now' }).click();
  await expect.poll(() => captured().length).toBe(2);
  await expect.element(page.getByRole('button', { name: 'Check now' })).toBeEnabled();
  await expect.element(heading).toHaveTextContent('Your payment is on its way');
});

test.each([
  ['declined', sampleSubscription({ status: 'none' }, null)],
  ['of somebody who has another order', sampleSubscription({ status: 'pending' }, { order_id: 'I-OTHER' })],
  ['beside a subscription that lasts', sampleSubscription({ status: 'cancelled' }, { order_id: 'I-OTHER' })],
])('an order %s was not approved, and another try is offered', async (_, subscription) => {
  const { onLeave, onPaid } = open([() => notApproved], [subscription]);
  await expect.element(heading).toHaveTextContent('The payment was not approved');
  await page.getByRole('button', { name: 'Try again' }).click();
  expect(onLeave).toHaveBeenCalledOnce();
  expect(onPaid).not.toHaveBeenCalled();
});

test('when the provider cannot be reached, nothing is lost and the same order is tried again', async () => {
  const { onPaid, captured } = open(
    [
      () => problem(503, 'payments_unavailable', 'Payments cannot be reached right now. Try again in a moment.'),
      () => ({ body: active }),
    ],
    [active],
  );
  await expect.element(heading).toHaveTextContent('Failed to capture subscription order');
  await expect
    .element(page.getByRole('status').filter({ has: heading }))
    .toHaveTextContent('Payments cannot be reached right now. Try again in a moment. What you agreed to is not lost');
  await expect.element(page.getByText('I-BW452GLLEP1G')).toBeVisible();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => onPaid.mock.calls.length).toBe(1);
  expect(await Promise.all(captured().map((request) => request.json()))).toEqual([order, order]);
});

test('without any answer it says so too', async () => {
  open(
    [
      () => {
        throw new TypeError('network');
      },
    ],
    [active],
  );
  await expect.element(heading).toHaveTextContent('Failed to capture subscription order');
  await expect.element(page.getByText(/Dovepost cannot be reached/)).toBeVisible();
});
