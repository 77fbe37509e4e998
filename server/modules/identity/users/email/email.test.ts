import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  confirmEmail,
  getCurrentUser,
  login,
  regenerateApiKey,
  resendConfirmation,
  updateEmail,
  updatePassword,
} from '#contracts/accounts.ts';
import { signOutEverywhere } from '#contracts/security-events.ts';
import { createToken } from '#server/platform/secrets.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUp } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';

const dayMs = 86_400_000;
const clock = createTestClock();
let smtp: Awaited<ReturnType<typeof startSmtpStandIn>>;
let app: TestApplication;
beforeAll(async () => {
  smtp = await startSmtpStandIn();
  app = await startTestApplication({ clock, env: { ROLES: 'api', SMTP_URL: smtp.url } });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

const subjectsTo = (address: string) => smtp.mails.filter(({ to }) => to === address).map(({ email }) => email.subject);

/** The token in the newest mail to the address, once there are so many. */
async function tokenTo(address: string, count = 1): Promise<string> {
  await expect.poll(() => subjectsTo(address).length).toBe(count);
  const text = smtp.mails.findLast(({ to }) => to === address)?.email.text ?? '';
  return /confirm-email\?token=(\w+)/.exec(text)?.[1] ?? '';
}

const follow = (token: string) => createApiClient(app.url).call(confirmEmail, { body: { token } });
const refuseLink = (token: string) => createApiClient(app.url).refuse(confirmEmail, { body: { token } });
const userOf = async ({ api }: Customer) => (await api.call(getCurrentUser)).body.user;

async function confirmedCustomer(): Promise<Customer> {
  const customer = await signUp(app.url);
  await follow(await tokenTo(customer.email));
  return customer;
}

test('sign-up mails a link, and the address counts as confirmed once it is followed', async () => {
  const customer = await signUp(app.url);
  expect((await userOf(customer)).email_confirmed).toBe(false);
  const token = await tokenTo(customer.email);
  await follow(token);
  expect((await userOf(customer)).email_confirmed).toBe(true);
  expect(await refuseLink(token)).toMatchObject({ status: 422, body: { code: 'invalid_email_link' } });
});

test('a link lasts seven days, another one takes its place, and five an hour are enough', async () => {
  const customer = await signUp(app.url);
  const first = await tokenTo(customer.email);
  await customer.api.call(resendConfirmation);
  const second = await tokenTo(customer.email, 2);
  expect((await refuseLink(first)).status).toBe(422);
  for (let request = 2; request <= 5; request += 1) await customer.api.call(resendConfirmation);
  const tooMany = await customer.api.refuse(resendConfirmation);
  expect(tooMany).toMatchObject({ status: 429, body: { code: 'too_many_attempts' } });
  clock.advance(7 * dayMs);
  expect((await refuseLink(second)).status).toBe(422);
  expect((await refuseLink(createToken('email'))).status).toBe(422);
});

test('a new address counts once the link in the mail to it is followed, and the old one gets a notice', async () => {
  const customer = await confirmedCustomer();
  const { email: old, password, api } = customer;
  const email = `new-${old}`;
  const { body } = await api.call(updateEmail, { body: { email, currentPassword: password } });
  expect(body.email).toBe(old);
  const token = await tokenTo(email);
  await expect.poll(() => subjectsTo(old)).toContain('Your email address is about to change');
  expect((await createApiClient(app.url).refuse(login, { body: { email, password } })).status).toBe(401);

  await follow(token);
  expect((await userOf(customer)).email).toBe(email);
  expect((await createApiClient(app.url).call(login, { body: { email, password } })).status).toBe(200);
});

test('a wrong password, an address that is taken, and one that is taken meanwhile change nothing', async () => {
  const customer = await confirmedCustomer();
  const other = await signUp(app.url);
  const wrong = { email: `new-${customer.email}`, currentPassword: 'wrong password' };
  expect(await customer.api.refuse(updateEmail, { body: wrong })).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'currentPassword' }] },
  });
  const taken = await customer.api.refuse(updateEmail, { body: { email: other.email } });
  expect(taken).toMatchObject({ status: 409, body: { code: 'email_taken' } });

  const wanted = `wanted-${customer.email}`;
  await customer.api.call(updateEmail, { body: { email: wanted } });
  const token = await tokenTo(wanted);
  await app.ctx.db
    .updateTable('accounts')
    .set({ email: wanted, email_key: wanted })
    .where('id', '=', other.id)
    .execute();
  expect(await refuseLink(token)).toMatchObject({ status: 409, body: { code: 'email_taken' } });
  expect((await userOf(customer)).email).toBe(customer.email);
});

test('to an address that nobody has confirmed goes nothing but the link', async () => {
  const { api, email, password } = await signUp(app.url);
  await tokenTo(email);
  await api.call(updateEmail, { body: { email: `new-${email}`, currentPassword: password } });
  await tokenTo(`new-${email}`);
  expect(subjectsTo(email)).toEqual(['Confirm your email address']);
});

test.each<[string, (customer: Customer) => Promise<unknown>]>([
  [
    'a new password',
    ({ api, password }) =>
      api.call(updatePassword, { body: { currentPassword: password, newPassword: 'another long password' } }),
  ],
  ['signing out everywhere', ({ api }) => api.call(signOutEverywhere)],
])('%s stops a change of the address that whoever else was in has asked for', async (_name, putRight) => {
  const customer = await confirmedCustomer();
  const theirs = `thief-${customer.email}`;
  await customer.api.call(updateEmail, { body: { email: theirs } });
  const token = await tokenTo(theirs);
  await putRight(customer);
  expect((await refuseLink(token)).status).toBe(422);
  const account = app.ctx.db.selectFrom('accounts').select('email').where('id', '=', customer.id);
  expect(await account.executeTakeFirst()).toEqual({ email: customer.email });
});

test('a new password leaves the link that confirms the address itself', async () => {
  const { api, email, password } = await signUp(app.url);
  const token = await tokenTo(email);
  await api.call(updatePassword, { body: { currentPassword: password, newPassword: 'another long password' } });
  expect((await follow(token)).status).toBe(200);
});

test('a session that ends while it asks for another address, or a key, gets neither', async () => {
  for (const ask of [
    ({ api, email }: Customer) => api.refuse(updateEmail, { body: { email: `theirs-${email}` } }),
    ({ api, email }: Customer) => api.refuse(updateEmail, { body: { email: email.toUpperCase() } }),
    ({ api }: Customer) => api.refuse(regenerateApiKey, { headers: {} }),
  ]) {
    const customer = await confirmedCustomer();
    const release = await holdLock(app.ctx.pool, 'select from accounts where id = $1 for update', [customer.id]);
    const answer = ask(customer);
    await untilSomebodyWaits(app.ctx.pool);
    await app.ctx.db.deleteFrom('sessions').where('account_id', '=', customer.id).execute();
    await release();
    expect(await answer).toMatchObject({ status: 401, body: { code: 'unauthenticated' } });
    const links = app.ctx.db.selectFrom('email_links').select('email').where('account_id', '=', customer.id);
    expect(await links.execute()).toEqual([]);
    expect(await createApiClient(app.url, { authorization: customer.apiKey }).call(getCurrentUser)).toMatchObject({
      body: { user: { email: customer.email } },
    });
  }
});
