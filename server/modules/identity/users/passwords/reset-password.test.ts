import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { forgotPassword, getCurrentUser, login, resetPassword, updateEmail } from '#contracts/accounts.ts';
import { createToken } from '#server/platform/secrets.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp } from '#tests/support/customer.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { attemptKey } from '../attempts.ts';
import { whenBackgroundWorkIsDone } from '../in-background.ts';

const hourMs = 3_600_000;
const password = 'another horse battery';
const clock = createTestClock();
let app: TestApplication;
let anonymous: ApiClient;
beforeAll(async () => {
  app = await startTestApplication({
    clock,
    env: { ROLES: 'api', PUBLIC_URL: 'http://localhost:4100', TRUSTED_PROXIES: '127.0.0.1' },
  });
  anonymous = createApiClient(app.url);
});
afterAll(() => app[Symbol.asyncDispose]());

async function mailsTo(email: string): Promise<string[]> {
  await whenBackgroundWorkIsDone();
  const directory = join(app.ctx.config.dataDir, 'mail');
  const names = await readdir(directory).catch(() => []);
  const mails = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return mails.filter((mail) => mail.includes(`To: ${email}\n`));
}

/** Asks for a link; resolves to the token in the newest mail. */
async function askForToken(email: string, typed = email): Promise<string> {
  const earlier = await mailsTo(email);
  await anonymous.call(forgotPassword, { body: { email: typed } });
  const mail = (await mailsTo(email)).find((text) => !earlier.includes(text));
  return /http:\/\/localhost:4100\/reset-password\?token=(\w+)/.exec(mail ?? '')?.[1] ?? '';
}

test('the link in the mail sets a new password once, ends every session and replaces the API key', async () => {
  const { api, apiKey, email } = await signUp(app.url);
  const token = await askForToken(email, email.toUpperCase());
  await anonymous.as({ authorization: apiKey }).call(getCurrentUser);
  expect((await anonymous.call(resetPassword, { body: { token, password } })).status).toBe(200);
  expect((await api.refuse(getCurrentUser)).status).toBe(401);
  expect((await anonymous.call(login, { body: { email, password } })).status).toBe(200);
  // Nor does a key that somebody took with them open anything.
  expect((await anonymous.as({ authorization: apiKey }).refuse(getCurrentUser)).status).toBe(401);
  const again = await anonymous.refuse(resetPassword, { body: { token, password: 'third horse battery' } });
  expect(again).toMatchObject({ status: 422, body: { code: 'invalid_reset_token' } });
  expect((await anonymous.call(login, { body: { email, password } })).status).toBe(200);
});

test('the answer to an unknown address is the same, and no mail goes out', async () => {
  const { email } = await signUp(app.url);
  const known = await anonymous.call(forgotPassword, { body: { email } });
  const unknown = await anonymous.call(forgotPassword, { body: { email: 'nobody@example.com' } });
  expect(known.status).toBe(202);
  expect({ ...unknown, headers: undefined }).toEqual({ ...known, headers: undefined });
  expect(await mailsTo('nobody@example.com')).toEqual([]);
  expect(await mailsTo(email)).toHaveLength(1);
});

test('a newer link takes the place of the older one, and an hour is the end of both', async () => {
  const { email } = await signUp(app.url);
  const older = await askForToken(email);
  const newer = await askForToken(email);
  expect((await anonymous.refuse(resetPassword, { body: { token: older, password } })).status).toBe(422);
  clock.advance(hourMs);
  expect((await anonymous.refuse(resetPassword, { body: { token: newer, password } })).status).toBe(422);
});

test('of two who use one link at once, one succeeds', async () => {
  const { email } = await signUp(app.url);
  const token = await askForToken(email);
  const use = () => anonymous.call(resetPassword, { body: { token, password } });
  const outcomes = await Promise.allSettled([use(), use(), use()]);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a link in the old mailbox dies with the change of the address', async () => {
  const { api, email } = await signUp(app.url);
  const token = await askForToken(email);
  await api.call(updateEmail, { body: { email: `new-${email}` } });
  expect((await anonymous.refuse(resetPassword, { body: { token, password } })).status).toBe(422);
});

test('a link that is asked for while the address changes comes to no old mailbox', async () => {
  const { api, email } = await signUp(app.url);
  await askForToken(email);
  const earlier = await mailsTo(email);
  const key = attemptKey('reset', email);
  const release = await holdLock(app.ctx.pool, 'select from sign_in_attempts where key = $1 for update', [key]);
  await anonymous.call(forgotPassword, { body: { email } });
  await untilSomebodyWaits(app.ctx.pool);
  await api.call(updateEmail, { body: { email: `new-${email}` } });
  await release();
  const mails = (await mailsTo(email)).filter((mail) => !earlier.includes(mail));
  expect(mails.filter((mail) => mail.includes('/reset-password?token='))).toEqual([]);
});

test('a person locked out by wrong guesses can sign in right after a reset', async () => {
  const { email } = await signUp(app.url);
  const wrong = { body: { email, password: 'wrong password' } };
  for (let failure = 0; failure < 10; failure += 1) await anonymous.refuse(login, wrong);
  expect((await anonymous.refuse(login, wrong)).status).toBe(429);
  const token = await askForToken(email);
  await anonymous.call(resetPassword, { body: { token, password } });
  expect((await anonymous.call(login, { body: { email, password } })).status).toBe(200);
});

test('a mailbox gets ten mails an hour at most', async () => {
  const { email } = await signUp(app.url);
  for (let request = 0; request < 12; request += 1) await anonymous.call(forgotPassword, { body: { email } });
  expect(await mailsTo(email)).toHaveLength(10);
});

test('tokens that were never given out are refused', async () => {
  for (const token of ['x', createToken('reset'), createToken('session')]) {
    const refusal = await anonymous.refuse(resetPassword, { body: { token, password } });
    expect(refusal).toMatchObject({ status: 422, body: { code: 'invalid_reset_token' } });
  }
});

test('a caller asks for sixty links an hour at most', async () => {
  const flooder = anonymous.as({ 'x-forwarded-for': '192.0.2.9' });
  const ask = { body: { email: 'nobody@example.com' } };
  for (let request = 0; request < 60; request += 1) await flooder.call(forgotPassword, ask);
  const refusal = await flooder.refuse(forgotPassword, ask);
  expect(refusal).toMatchObject({ status: 429, body: { code: 'too_many_requests' } });
  expect(Number(refusal.headers.get('retry-after'))).toBeGreaterThan(3000);
});
