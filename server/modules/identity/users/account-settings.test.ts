import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  getCurrentUser,
  login,
  logout,
  regenerateApiKey,
  register,
  SignedIn,
  updateCurrentUser,
  updateEmail,
  updatePassword,
} from '#contracts/accounts.ts';
import { listSecurityEvents } from '#contracts/security-events.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const newPassword = 'another horse battery';

test('the name and the time zone change, each alone or both', async () => {
  const { api } = await signUp(app.url);
  expect((await api.call(updateCurrentUser, { body: { name: ' Grace ' } })).body).toMatchObject({
    name: 'Grace',
    timezone: 'UTC',
  });
  expect((await api.call(updateCurrentUser, { body: { timezone: 'Asia/Tokyo' } })).body).toMatchObject({
    name: 'Grace',
    timezone: 'Asia/Tokyo',
  });
  expect((await api.call(updateCurrentUser, { body: {} })).body).toMatchObject({
    name: 'Grace',
    timezone: 'Asia/Tokyo',
  });
  expect((await api.refuse(updateCurrentUser, { body: { name: '' } })).status).toBe(422);
});

test("a person's language is their browser's at first, then what they choose, wherever they work", async () => {
  const signedUp = async (language: string) => {
    const body = { name: 'Ada', email: `${randomBytes(8).toString('hex')}@example.com`, password: newPassword };
    const headers = { 'accept-language': language };
    return (await createApiClient(app.url).as(headers).call(register, { body })).body;
  };
  const [ada, unknown] = [await signedUp('pt_br;q=1, en'), await signedUp('*')];
  expect([ada.user.language, unknown.user.language]).toEqual([null, null]);
  const person = await signedUp('pt-br,pt;q=0.9,en;q=0.8');
  expect(person.user.language).toBe('pt-BR');
  const api = createApiClient(app.url, { authorization: person.token });
  const owner = await signUp(app.url);
  await joinAccount(app, owner, { ...owner, id: person.user.id }, 'viewer');
  expect((await api.call(updateCurrentUser, { body: { language: 'DE_at' } })).body.language).toBe('de-AT');
  const { body: seen } = await api.call(getCurrentUser);
  expect([seen.account.id, seen.user.language]).toEqual([owner.id, 'de-AT']);
  expect((await owner.api.call(getCurrentUser)).body.user.language).toBe(null);
  expect((await api.call(updateCurrentUser, { body: { language: null } })).body.language).toBe(null);
  for (const language of ['', 'not a language', 'x'.repeat(36), 5]) {
    const refused = await api.refuse(updateCurrentUser, { body: { language: language as string } });
    expect(refused.body.errors).toMatchObject([{ path: 'language' }]);
  }
});

test('a user who was read is sent back whole, also by a key and by a member who may not change all of it', async () => {
  const owner = await signUp(app.url);
  const member = await signUp(app.url);
  await joinAccount(app, owner, member, 'agent');
  const byKey = createApiClient(app.url, { authorization: owner.apiKey });
  for (const [api, code] of [
    [byKey, 'session_required'],
    [member.api, 'missing_permission'],
  ] as const) {
    const { user } = (await api.call(getCurrentUser)).body;
    const { status, body } = await api.call(updateCurrentUser, { body: { ...user, name: 'Grace' } });
    expect([status, body]).toEqual([200, { ...user, name: 'Grace' }]);
    const refused = await api.refuse(updateCurrentUser, { body: { ...user, messages_kept_days: 30 } });
    expect(refused).toMatchObject({ status: 403, body: { code } });
  }
});

test('the email changes unless another account has it', async () => {
  const customer = await signUp(app.url);
  const other = await signUp(app.url);
  const taken = await customer.api.refuse(updateEmail, { body: { email: other.email.toUpperCase() } });
  expect(taken).toMatchObject({ status: 409, body: { code: 'email_taken' } });

  const mine = `New-${customer.email}`;
  expect((await customer.api.call(updateEmail, { body: { email: mine } })).body.email).toBe(mine);
  expect((await customer.api.call(updateEmail, { body: { email: mine.toLowerCase() } })).status).toBe(200);
  const anonymous = createApiClient(app.url);
  const { password } = customer;
  expect((await anonymous.call(login, { body: { email: mine, password } })).status).toBe(200);
  expect((await anonymous.refuse(login, { body: { email: customer.email, password } })).status).toBe(401);
});

test('a new password ends every other session', async () => {
  const { api, email, password } = await signUp(app.url);
  const anonymous = createApiClient(app.url);
  const elsewhere = SignedIn.parse((await anonymous.call(login, { body: { email, password } })).body);
  await api.call(updatePassword, { body: { currentPassword: password, newPassword } });

  expect((await api.call(getCurrentUser)).status).toBe(200);
  expect((await anonymous.as({ authorization: elsewhere.token }).refuse(getCurrentUser)).status).toBe(401);
  expect((await anonymous.refuse(login, { body: { email, password } })).status).toBe(401);
  expect((await anonymous.call(login, { body: { email, password: newPassword } })).status).toBe(200);
});

test('a wrong current password is an error of its field, ten times', async () => {
  const { api, password } = await signUp(app.url);
  const wrong = { body: { currentPassword: 'wrong password', newPassword } };
  const refusal = await api.refuse(updatePassword, wrong);
  expect(refusal).toMatchObject({ status: 422, body: { errors: [{ path: 'currentPassword' }] } });
  for (let failure = 1; failure < 10; failure += 1) await api.refuse(updatePassword, wrong);
  const locked = await api.refuse(updatePassword, { body: { currentPassword: password, newPassword } });
  expect(locked).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
});

test('of two password changes at once, one wins', async () => {
  const { api, password } = await signUp(app.url);
  const change = (choice: string) =>
    api.call(updatePassword, { body: { currentPassword: password, newPassword: choice } });
  const outcomes = await Promise.allSettled([change('first new password'), change('second new password')]);
  expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
});

test('a new api_key stops the old one at once', async () => {
  const { api, apiKey } = await signUp(app.url);
  const { body } = await api.call(regenerateApiKey);
  expect(body.api_key).toMatch(/^dpk_/);
  const withKey = (key: string) => createApiClient(app.url, { authorization: key });
  expect((await withKey(apiKey).refuse(getCurrentUser)).status).toBe(401);
  expect((await withKey(body.api_key).call(getCurrentUser)).body.user.api_key).toBe(body.api_key);
});

test('an api_key changes nothing about how one signs in', async () => {
  const { apiKey, email } = await signUp(app.url);
  const api = createApiClient(app.url, { authorization: apiKey });
  const refusals = [
    await api.refuse(updateEmail, { body: { email } }),
    await api.refuse(updatePassword, { body: { currentPassword: 'x', newPassword } }),
    await api.refuse(regenerateApiKey),
    await api.refuse(logout),
  ];
  for (const refusal of refusals) expect(refusal).toMatchObject({ status: 403, body: { code: 'session_required' } });
});

test('without a proxy that is trusted, an address that the caller names counts for nothing', async () => {
  const { email } = await signUp(app.url);
  const guess = (count: number) => {
    const api = createApiClient(app.url, {
      'x-forwarded-for': `203.0.113.${count}`,
      forwarded: `for=203.0.113.${count}`,
    });
    return api.refuse(login, { body: { email, password: 'wrong password' } });
  };
  const statuses = await Promise.all(Array.from({ length: 12 }, async (_, count) => (await guess(count)).status));
  expect(statuses.filter((status) => status === 429)).toHaveLength(2);
});

test('how long messages are kept is a choice of whoever is signed in, and is written down', async () => {
  const { api, apiKey } = await signUp(app.url);
  expect((await api.call(updateCurrentUser, { body: { messages_kept_days: 90 } })).body.messages_kept_days).toBe(90);
  const { body } = await api.call(listSecurityEvents, { query: {} });
  expect(body.data[0]).toMatchObject({ type: 'retention_changed', detail: '90 days' });
  for (const days of [29, 3651, 90.5]) {
    const refused = await api.refuse(updateCurrentUser, { body: { messages_kept_days: days } });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'messages_kept_days' }] } });
  }
  const withKey = createApiClient(app.url, { authorization: apiKey });
  const refused = await withKey.refuse(updateCurrentUser, { body: { messages_kept_days: 30 } });
  expect(refused).toMatchObject({ status: 403, body: { code: 'session_required' } });
  await withKey.call(updateCurrentUser, { body: { name: 'Grace' } });
  expect(
    (await api.call(updateCurrentUser, { body: { messages_kept_days: null } })).body.messages_kept_days,
  ).toBeNull();
});
