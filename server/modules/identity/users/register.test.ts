import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser, login, register } from '#contracts/accounts.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';

let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const registration = (email: string, more: object = {}) => ({
  body: { name: 'Ada Lovelace', email, password: 'correct horse', ...more },
});

test('answers 201 with a token that works and the user', async () => {
  const api = createApiClient(app.url);
  const { status, body } = await api.call(register, registration('  Ada@Example.com '));
  expect(status).toBe(201);
  expect(body.user).toMatchObject({ name: 'Ada Lovelace', email: 'Ada@Example.com', timezone: 'UTC' });
  expect(body.user.api_key).toMatch(/^dpk_/);
  expect(body.token).toMatch(/^dps_/);

  const { body: me } = await api.as({ authorization: body.token }).call(getCurrentUser);
  expect(me.user).toEqual(body.user);
  expect(me.subscription).toMatchObject({
    status: 'none',
    hasActiveSubscription: false,
    plan: null,
    currentSubscription: null,
    subscriptionPlan: { id: 1, name: 'Premium Plan', price: 9.99, duration: 1 },
    provider: 'test',
  });
});

test('keeps the time zone of the browser, and refuses what is none', async () => {
  const api = createApiClient(app.url);
  const { body } = await api.call(register, registration('zone@example.com', { timezone: 'Europe/Lisbon' }));
  expect(body.user.timezone).toBe('Europe/Lisbon');
  for (const timezone of ['Mars/Base', '+02:00']) {
    const refusal = await api.refuse(register, registration('none@example.com', { timezone }));
    expect(refusal).toMatchObject({ status: 422, body: { errors: [{ path: 'timezone' }] } });
  }
});

test.each([
  [{ name: ' ' }, 'name', 'Enter your name'],
  [{ email: 'nobody' }, 'email', 'Enter a valid email address'],
  [{ password: '1234567' }, 'password', 'Use at least 8 characters'],
  [{ password: 'x'.repeat(129) }, 'password', 'Use at most 128 characters'],
])('refuses %o', async (wrong, path, message) => {
  const refusal = await createApiClient(app.url).refuse(register, registration('wrong@example.com', wrong));
  expect(refusal).toMatchObject({ status: 422, body: { code: 'invalid_input', errors: [{ path, message }] } });
});

test('of many who register one address at once, in any case, one gets it', async () => {
  const api = createApiClient(app.url);
  const replies = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      api.call(register, registration(index % 2 === 0 ? 'race@example.com' : 'RACE@example.com')),
    ),
  );
  expect(replies.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  const refusal = await api.refuse(register, registration('Race@Example.com'));
  expect(refusal).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  const { status } = await api.call(login, { body: { email: 'rAcE@example.com', password: 'correct horse' } });
  expect(status).toBe(200);
});

test('nothing that opens an account is stored as it is', async () => {
  const { body } = await createApiClient(app.url).call(register, registration('dump@example.com'));
  const stored = JSON.stringify([
    await app.ctx.db.selectFrom('accounts').selectAll().execute(),
    await app.ctx.db.selectFrom('sessions').selectAll().execute(),
  ]);
  const inBytes = (text: string) => JSON.stringify(Buffer.from(text)).slice(30, -2);
  for (const secret of [body.token, body.user.api_key ?? '', 'correct horse']) {
    expect(stored).not.toContain(secret);
    expect(stored).not.toContain(inBytes(secret));
  }
});
