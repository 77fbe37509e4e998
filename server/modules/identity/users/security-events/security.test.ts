import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getCurrentUser, login, regenerateApiKey, register, SignedIn, updatePassword } from '#contracts/accounts.ts';
import { endSession, listSecurityEvents, listSessions, signOutEverywhere } from '#contracts/security-events.ts';
import { addPhoneNumber, updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { createWebhookEndpoint, deleteWebhookEndpoint, updateWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { rotateAuthKey, rotateWebhookSecret, updateProjectWebhook } from '#contracts/projects.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, proveIdentity, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { inTransaction } from '#server/context.ts';
import { sendDueMails } from '#server/modules/identity/mails/index.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { whenBackgroundWorkIsDone } from '../in-background.ts';
import { removeExpiredSessions } from '../sessions/remove-expired-sessions.ts';
import { mostSessions, openSession } from '../sessions/sessions.ts';
import { mostOfADay, recordSecurityEvent } from './record-security-event.ts';

const dayMs = 86_400_000;
const clock = createTestClock();
let app: TestApplication;
beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api', TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const elsewhere = () => createApiClient(app.url, { 'x-forwarded-for': '192.0.2.1', 'user-agent': 'Elsewhere/1' });
const signIn = async ({ email, password }: Customer) =>
  SignedIn.parse((await elsewhere().call(login, { body: { email, password } })).body).token;

async function eventsOf({ api }: Customer) {
  await whenBackgroundWorkIsDone();
  return (await api.call(listSecurityEvents, { query: {} })).body.data;
}

test('changes to an account are recorded with their place, newest first', async () => {
  const customer = await signUp(app.url);
  await elsewhere().refuse(login, { body: { email: customer.email, password: 'wrong password' } });
  await whenBackgroundWorkIsDone();
  await signIn(customer);
  await customer.api.call(regenerateApiKey);
  const events = await eventsOf(customer);
  expect(events.map(({ type }) => type)).toEqual(['api_key_rotated', 'signed_in', 'sign_in_failed', 'signed_up']);
  expect(events[1]).toMatchObject({ ip: '192.0.2.1', user_agent: 'Elsewhere/1' });
});

test('the tenth failure in a row is a lockout', async () => {
  const customer = await signUp(app.url);
  const wrong = { body: { email: customer.email, password: 'wrong password' } };
  for (let failure = 0; failure < 12; failure += 1) await elsewhere().refuse(login, wrong);
  const types = (await eventsOf(customer)).map(({ type }) => type);
  expect(types.filter((type) => type === 'sign_in_failed')).toHaveLength(10);
  expect(types.filter((type) => type === 'locked_out')).toHaveLength(1);
});

test("replacing a project's keys is written down with its name", async () => {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId, name } = await makeProject(customer);
  await customer.api.call(rotateAuthKey, { params: { projectId }, body: {} });
  await customer.api.call(rotateWebhookSecret, { params: { projectId }, body: {} });
  const events = await eventsOf(customer);
  expect(events.slice(0, 2)).toMatchObject([
    { type: 'webhook_secret_rotated', ip: '127.0.0.1', detail: name },
    { type: 'auth_key_rotated', ip: '127.0.0.1', detail: name },
  ]);
});

test('the API key shown to a session from another network is written down, once a day', async () => {
  const customer = await signUp(app.url);
  const shown = async () => (await eventsOf(customer)).filter(({ type }) => type === 'api_key_shown');
  await customer.api.call(getCurrentUser);
  await elsewhere().as({ authorization: customer.apiKey }).call(getCurrentUser);
  expect(await shown()).toEqual([]);

  const withSession = elsewhere().as({ authorization: customer.token });
  await Promise.all(Array.from({ length: 5 }, () => withSession.call(getCurrentUser)));
  expect(await shown()).toMatchObject([{ ip: '192.0.2.1' }]);
  clock.advance(dayMs);
  await withSession.call(getCurrentUser);
  expect(await shown()).toHaveLength(1);
  await proveIdentity(customer);
  await withSession.call(getCurrentUser);
  expect(await shown()).toHaveLength(2);
});

test("events are kept for 90 days, and are nobody else's", async () => {
  const customer = await signUp(app.url);
  const other = await signUp(app.url);
  expect((await eventsOf(other)).map(({ type }) => type)).toEqual(['signed_up']);
  await removeExpiredSessions(app.ctx);
  const count = async () =>
    (await app.ctx.db.selectFrom('security_events').select('id').where('account_id', '=', customer.id).execute())
      .length;
  expect(await count()).toBe(1);
  clock.advance(90 * dayMs);
  await removeExpiredSessions(app.ctx);
  expect(await count()).toBe(0);
});

test('sessions are listed with their place, and one can be ended', async () => {
  const customer = await signUp(app.url);
  const token = await signIn(customer);
  const { data } = (await customer.api.call(listSessions)).body;
  expect(data.map(({ current, ip, user_agent }) => ({ current, ip, user_agent }))).toEqual(
    expect.arrayContaining([
      { current: false, ip: '192.0.2.1', user_agent: 'Elsewhere/1' },
      { current: true, ip: '127.0.0.1', user_agent: 'node' },
    ]),
  );
  const there = data.find(({ current }) => !current)?.id ?? 0;
  await customer.api.call(endSession, { params: { sessionId: there } });
  expect((await createApiClient(app.url, { authorization: token }).refuse(getCurrentUser)).status).toBe(401);
  expect((await customer.api.call(getCurrentUser)).status).toBe(200);
  expect((await customer.api.refuse(endSession, { params: { sessionId: there } })).status).toBe(404);
});

test('an account has a bounded number of sessions: one more ends the one that was not used for longest', async () => {
  const customer = await signUp(app.url);
  await inTransaction(app.ctx, async (tx) => {
    const place = { ip: '192.0.2.1', userAgent: undefined };
    for (let count = 1; count < mostSessions; count += 1) await openSession(tx, customer.id, place);
  });
  expect((await customer.api.call(getCurrentUser)).status).toBe(200);
  clock.advance(1);
  const newest = await signIn(customer);
  const { data } = (await createApiClient(app.url, { authorization: newest }).call(listSessions)).body;
  expect(data).toHaveLength(mostSessions);
  expect(data[0]).toMatchObject({ current: true });
});

test('signing out everywhere ends every session, and leaves the API key', async () => {
  const customer = await signUp(app.url);
  const token = await signIn(customer);
  await customer.api.call(signOutEverywhere);
  for (const ended of [token, customer.token]) {
    expect((await createApiClient(app.url, { authorization: ended }).refuse(getCurrentUser)).status).toBe(401);
  }
  const withKey = createApiClient(app.url, { authorization: customer.apiKey });
  expect((await withKey.call(getCurrentUser)).status).toBe(200);
});

test('signing out everywhere else leaves the session that asks', async () => {
  const customer = await signUp(app.url);
  const token = await signIn(customer);
  await customer.api.call(signOutEverywhere, { query: { except: 'current' } });
  expect((await createApiClient(app.url, { authorization: token }).refuse(getCurrentUser)).status).toBe(401);
  expect((await customer.api.call(listSessions)).body.data).toMatchObject([{ current: true }]);
});

test.each(['password123', 'PASSWORD123', '123456789', 'iloveyou1'])('nobody may choose %s', async (common) => {
  const api = createApiClient(app.url);
  const body = { name: 'Ada', email: `${common.toLowerCase()}@example.com`, password: common };
  const refusal = await api.refuse(register, { body });
  expect(refusal).toMatchObject({ status: 422, body: { errors: [{ path: 'password' }] } });
  expect(refusal.body.message).toContain('Choose another one');
});

test('a password that is the account’s own address is refused at sign-up, at a change', async () => {
  const customer = await signUp(app.url);
  const change = { body: { currentPassword: customer.password, newPassword: customer.email.toUpperCase() } };
  const changed = await customer.api.refuse(updatePassword, change);
  const message = 'Your email address is what others try first. Choose another password.';
  expect(changed).toMatchObject({ status: 422, body: { errors: [{ path: 'newPassword', message }] } });
  const email = `own-${customer.id}@example.com`;
  const signedUp = await createApiClient(app.url).refuse(register, { body: { name: 'Ada', email, password: email } });
  expect(signedUp).toMatchObject({ status: 422, body: { errors: [{ path: 'password', message }] } });
});

test('a change to a common password is an error of its field', async () => {
  const { api, password } = await signUp(app.url);
  const refusal = await api.refuse(updatePassword, { body: { currentPassword: password, newPassword: 'qwertyuiop' } });
  expect(refusal).toMatchObject({ status: 422, body: { errors: [{ path: 'newPassword' }] } });
});

test('a password change replaces the API key where asked to', async () => {
  const customer = await signUp(app.url);
  const keep = { currentPassword: customer.password, newPassword: 'another horse battery' };
  expect((await customer.api.call(updatePassword, { body: keep })).body.api_key).toBe(customer.apiKey);
  const rotate = { currentPassword: keep.newPassword, newPassword: 'a third horse battery', rotateApiKey: true };
  expect((await customer.api.call(updatePassword, { body: rotate })).body.api_key).not.toBe(customer.apiKey);
  const withOldKey = createApiClient(app.url, { authorization: customer.apiKey });
  expect((await withOldKey.refuse(getCurrentUser)).status).toBe(401);
});

test('a program that signs in without end fills no table: what repeats is counted', async () => {
  const customer = await signUp(app.url);
  const origin = { ip: '192.0.2.1', userAgent: 'Elsewhere/1' };
  const record = (ip: string) =>
    recordSecurityEvent(app.ctx, { userId: customer.id, type: 'signed_in', origin: { ...origin, ip } });
  await record('192.0.2.9');
  for (let count = 1; count < mostOfADay; count += 1) await record(origin.ip);
  clock.advance(1000);
  for (let count = 0; count < 30; count += 1) await record(count % 3 === 0 ? '192.0.2.9' : origin.ip);
  const events = (await eventsOf(customer)).filter(({ type }) => type === 'signed_in');
  expect(events).toHaveLength(mostOfADay);
  expect(events.filter(({ repeats }) => repeats > 0)).toMatchObject([
    { ip: origin.ip, repeats: 20, last_at: clock.now().toISOString() },
    { ip: '192.0.2.9', repeats: 10 },
  ]);
  clock.advance(dayMs);
  await record(origin.ip);
  expect((await eventsOf(customer))[0]).toMatchObject({ type: 'signed_in', repeats: 0, last_at: null });
});

test('events come by pages, each once', async () => {
  const customer = await signUp(app.url);
  const types = ['signed_in', 'signed_out', 'password_changed', 'session_ended'] as const;
  for (const type of types) {
    const origin = { ip: '192.0.2.1', userAgent: undefined };
    for (let count = 0; count < 15; count += 1)
      await recordSecurityEvent(app.ctx, { userId: customer.id, type, origin });
  }
  const ids: number[] = [];
  let after: string | undefined;
  do {
    const { body } = await customer.api.call(listSecurityEvents, { query: { ...(after !== undefined && { after }) } });
    ids.push(...body.data.map(({ id }) => id));
    after = body.next_cursor ?? undefined;
  } while (after !== undefined);
  expect(ids).toHaveLength(61);
  expect(ids).toEqual(ids.toSorted((a, b) => b - a));
});

test('where the data of an account goes is written down and mailed when it changes', async () => {
  const customer = await signUpSubscriber(app.url);
  const url = 'https://shop.example/hook';
  const { id: projectId } = await makeProject(customer, `${url}/first`);
  const params = { projectId };
  await customer.api.call(updateProjectWebhook, { params, body: { webhook_url: url } });
  await customer.api.call(updateProjectWebhook, { params, body: { webhook_url: url } });
  const { body: further } = await customer.api.call(createWebhookEndpoint, { params, body: { url, events: ['*'] } });
  const ref = { params: { projectId, endpointId: further.id } };
  await customer.api.call(updateWebhookEndpoint, { ...ref, body: { url: `${url}/2`, events: ['*'] } });
  await customer.api.call(updateWebhookEndpoint, { ...ref, body: { description: 'Shop' } });
  await customer.api.call(deleteWebhookEndpoint, ref);
  await customer.api.call(createProjectKey, { params, body: { name: 'Board', scopes: ['messages:read'] } });
  const { body: phone } = await customer.api.call(addPhoneNumber, { params, body: { phone_number: '14155550100' } });
  const proxy = 'socks5://user:secret@203.0.113.5:1080';
  await customer.api.call(updatePhoneNumber, { params: { phoneId: phone.id }, body: { name: 'Desk', proxy } });
  await fetch(`${app.url}/api/profiles/export`, { headers: { authorization: customer.token } });
  const events = (await eventsOf(customer)).filter(({ type }) => type !== 'signed_up');
  expect(events.map(({ type, detail }) => [type, detail])).toEqual([
    ['data_exported', expect.any(String)],
    ['proxy_changed', 'Desk'],
    ['project_key_created', 'Board'],
    ['webhook_endpoint_deleted', `${url}/2`],
    ['webhook_endpoint_changed', `${url}/2`],
    ['webhook_endpoint_added', url],
    ['webhook_endpoint_changed', url],
    ['webhook_endpoint_added', `${url}/first`],
  ]);
  // A worker does this.
  await sendDueMails(app.ctx);
  const directory = join(app.ctx.config.dataDir, 'mail');
  const mails = await Promise.all((await readdir(directory)).map((name) => readFile(join(directory, name), 'utf8')));
  const own = mails.filter((mail) => mail.includes(`To: ${customer.email}\n`));
  for (const subject of ['proxy of a phone number', 'a webhook endpoint was removed', 'data was exported']) {
    expect(own.some((mail) => mail.includes(subject))).toBe(true);
  }
  expect(own.join('')).toContain(`See security events:\n${app.ctx.config.publicUrl}/settings/security\n`);
  expect(own.join('')).not.toContain('secret@');
});
