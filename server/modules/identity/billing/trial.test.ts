import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser } from '#contracts/accounts.ts';
import { cancelSubscription, createOrder } from '#contracts/billing.ts';
import { sendMessage } from '#contracts/messages.ts';
import { addPhoneNumber, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { listProjects } from '#contracts/projects.ts';
import { acceptInvitation, invite, leaveTeam, listOwnAccounts } from '#contracts/team.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, subscribe } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const dayMs = 86_400_000;
const clock = createTestClock();
const inDays = (days: number) => new Date(clock.now().getTime() + days * dayMs).toISOString();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { TRIAL_DAYS: '14' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const subscriptionOf = async ({ api }: Customer) => (await api.call(getCurrentUser)).body.subscription;

test('a trial opens the product for sandbox numbers alone', async () => {
  const customer = await signUp(app.url);
  expect(await subscriptionOf(customer)).toMatchObject({
    status: 'none',
    hasActiveSubscription: true,
    trial_ends_at: inDays(14),
    plan: null,
    currentSubscription: null,
  });
  const project = await makeProject(customer);
  const params = { projectId: project.id };
  await connectSandboxPhone(customer, project.id);
  const shop = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  expect((await shop.call(sendMessage, { body: { to: '14155550123', message: 'Hello' } })).status).toBe(200);

  const cloud = {
    phone_number_id: '1000001',
    business_account_id: '1000002',
    access_token: 'a-token-of-meta',
    app_secret: '0123456789abcdef0123456789abcdef',
  };
  for (const phone of [{}, { connector: 'whatsapp' as const }, { connector: 'cloud' as const, cloud }]) {
    const refusal = await customer.api.refuse(addPhoneNumber, {
      params,
      body: { phone_number: '14155550124', ...phone },
    });
    expect(refusal).toMatchObject({
      status: 402,
      body: {
        code: 'subscription_required',
        message: 'The trial is for sandbox numbers. Choose a plan to connect WhatsApp.',
      },
    });
  }
  expect((await customer.api.call(listPhoneNumbers, { params })).body.data).toHaveLength(1);
});

test('a trial ends with its last day', async () => {
  const customer = await signUp(app.url);
  await makeProject(customer);
  const end = inDays(14);
  expect(await subscriptionOf(customer)).toMatchObject({ trial_ends_at: end, trial_ended_at: null });
  clock.advance(14 * dayMs);
  expect(await subscriptionOf(customer)).toMatchObject({
    status: 'none',
    hasActiveSubscription: false,
    trial_ends_at: null,
    trial_ended_at: end,
  });
  expect(await customer.api.refuse(listProjects)).toMatchObject({
    status: 402,
    body: { code: 'subscription_required' },
  });
});

test('a subscription costs at once, ends the trial, and can be cancelled', async () => {
  const customer = await signUp(app.url);
  expect(await customer.api.refuse(cancelSubscription)).toMatchObject({
    status: 409,
    body: { code: 'not_subscribed' },
  });
  expect((await customer.api.call(createOrder, { body: { planId: 1 } })).body.startsAt).toBeNull();
  expect(await subscriptionOf(customer)).toMatchObject({ status: 'pending', trial_ends_at: inDays(14) });
  await subscribe(customer);
  expect(await subscriptionOf(customer)).toMatchObject({
    status: 'active',
    hasActiveSubscription: true,
    trial_ends_at: null,
  });
  const project = await makeProject(customer);
  await customer.api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { phone_number: '14155550124' },
  });
  await customer.api.call(cancelSubscription);
  expect(await subscriptionOf(customer)).toMatchObject({
    status: 'cancelled',
    trial_ends_at: null,
    trial_ended_at: null,
  });
});

test('a person who joins by an invitation shares the trial of the account, and begins none of their own', async () => {
  const owner = await signUp(app.url);
  const email = `joins-${owner.email}`;
  const { body: invitation } = await owner.api.call(invite, { body: { email, role: 'viewer' } });
  const { body } = await createApiClient(app.url).call(acceptInvitation, {
    params: { token: invitation.url.slice(invitation.url.lastIndexOf('/') + 1) },
    body: { name: 'Grace', password: owner.password },
  });
  const api = createApiClient(app.url, { authorization: body.token });
  expect((await api.call(getCurrentUser)).body.subscription).toMatchObject({ trial_ends_at: inDays(14) });
  expect((await api.call(listOwnAccounts)).body.data).toMatchObject([{ id: owner.id, current: true }]);
  await api.call(leaveTeam);
  expect((await api.call(listOwnAccounts)).body.data).toEqual([]);
  expect((await api.refuse(getCurrentUser)).body.code).toBe('no_account');
  // Their own row is one that no trial has opened.
  const row = await app.ctx.db
    .selectFrom('accounts')
    .select('access_until')
    .where('id', '=', body.user.id)
    .executeTakeFirstOrThrow();
  expect(row.access_until).toBe(null);
});

test('nobody gets a trial where the operator allows none', async () => {
  await using plain = await startTestApplication({ env: { ROLES: 'api' } });
  expect(await subscriptionOf(await signUp(plain.url))).toMatchObject({
    hasActiveSubscription: false,
    trial_ends_at: null,
  });
});
