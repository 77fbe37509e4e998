import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import { cancelSubscription, listPayments } from '#contracts/billing.ts';
import { monthsLater } from '#server/connectors/payments/months-later.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { reconcileSubscriptions } from '../reconcile-subscriptions.ts';
import { recordStalePayments } from './record-payments.ts';

const dayMs = 86_400_000;
// A month of 31 days.
const clock = createTestClock(new Date('2026-07-10T12:00:00.000Z'));
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api' } });
});
afterAll(() => app[Symbol.asyncDispose]());

test('the history lists every period that was paid, newest first, to its own account alone', async () => {
  const customer = await signUpSubscriber(app.url);
  const startedAt = clock.now();
  clock.advance(20 * dayMs);
  await customer.api.call(getCurrentUser);
  clock.advance(15 * dayMs);
  await reconcileSubscriptions(app.ctx);
  await recordStalePayments(app.ctx);
  const order_id = (await customer.api.call(getCurrentUser)).body.subscription.currentSubscription?.order_id;
  const paid = { order_id, provider: 'test', amount: 9.99, currency: 'USD', status: 'completed' };
  const secondAt = monthsLater(startedAt, 1).toISOString();
  const { api } = customer;
  const { body } = await api.call(listPayments, { query: {} });
  expect(body).toMatchObject({ total: 2, page: 1, pageSize: 10 });
  expect(body.data).toEqual([
    { id: expect.any(Number), ...paid, paid_at: secondAt },
    { id: expect.any(Number), ...paid, paid_at: startedAt.toISOString() },
  ]);
  const second = await api.call(listPayments, { query: { page: 2, pageSize: 1 } });
  expect(second.body).toEqual({ data: [body.data[1]], total: 2, page: 2, pageSize: 1 });
  // Written down once, however often it is asked for; readable with an api_key, and when nothing is paid any more.
  await app.ctx.db.updateTable('subscriptions').set({ payments_stale: true }).execute();
  await recordStalePayments(app.ctx);
  await api.call(cancelSubscription);
  const withKey = createApiClient(app.url, { authorization: customer.apiKey });
  expect((await withKey.call(listPayments, { query: {} })).body.data).toEqual(body.data);
  expect((await (await signUp(app.url)).api.call(listPayments, { query: {} })).body).toMatchObject({ total: 0 });
  for (const query of [{ page: 0 }, { pageSize: 101 }, { page: 1.5 }]) {
    expect((await api.refuse(listPayments, { query })).status).toBe(422);
  }
});
