import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createAccountKey, deleteAccountKey } from '#contracts/account-keys.ts';
import { regenerateApiKey } from '#contracts/accounts.ts';
import { listProfiles } from '#contracts/profiles.ts';
import { searchMessages } from '#contracts/message-search.ts';
import { sendMessage } from '#contracts/messages.ts';
import { createProjectKey, deleteProjectKey } from '#contracts/project-keys.ts';
import { rotateAuthKey } from '#contracts/projects.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { patience } from '#tests/support/patience.ts';

/** Its clock moves only when a test moves it: nothing that was read grows old by itself. */
let app: TestApplication;
let aheadMs = 0;
const begun = Date.now();

const startStill = (connectionString?: string) =>
  startTestApplication({
    clock: { now: () => new Date(begun + aheadMs) },
    ...(connectionString !== undefined && { connectionString }),
  });

beforeAll(async () => {
  app = await startStill();
});

afterAll(() => app[Symbol.asyncDispose]());

/** A project with a further key, and how the product answers what is asked with that key. */
async function makeKey() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { body } = await customer.api.call(createProjectKey, {
    params: { projectId: project.id },
    body: { name: 'Shop', scopes: ['messages:read'] },
  });
  const statusOf = async (key = body.key, url = app.url) =>
    (await fetch(`${url}${searchMessages.path}`, { headers: { 'x-auth-key': key } })).status;
  const send = async () => {
    const headers = { 'x-auth-key': project.auth_key, 'content-type': 'application/json' };
    const message = JSON.stringify({ to: '14155550123', message: 'Hi' });
    return (await fetch(`${app.url}${sendMessage.path}`, { method: 'POST', headers, body: message })).status;
  };
  return { customer, project, keyId: body.id, statusOf, send };
}

/** An account with a further key, and how the product answers what is asked with that key. */
async function makeAccountKey(maker?: Customer) {
  const customer = maker ?? (await signUpSubscriber(app.url));
  const { body } = await customer.api.call(createAccountKey, { body: { name: 'Shop', scopes: ['contacts:read'] } });
  const statusOf = async (key = body.key, url = app.url) =>
    (await fetch(`${url}${listProfiles.path}`, { headers: { authorization: key } })).status;
  return { customer, keyId: body.id ?? 0, statusOf };
}

/** Of a send: the project has no phone. */
const noPhone = 409;

/** As the owner, and without the triggers that tell of it. */
async function silently(statement: string, values: unknown[]): Promise<void> {
  const client = new pg.Client({ connectionString: app.ownerConnectionString });
  onTestFinished(() => client.end());
  await client.connect();
  await client.query('set session_replication_role = replica');
  await client.query(statement, values);
}

test('a key is read once in five seconds, and a change that nobody told of counts after them', async () => {
  const { keyId, statusOf } = await makeKey();
  expect(await statusOf()).toBe(200);
  await silently('delete from project_keys where id = $1', [keyId]);
  expect(await statusOf()).toBe(200);
  aheadMs += 5_000;
  expect(await statusOf()).toBe(401);
});

test('whether a key has expired, and its account has access, is judged at every use', async () => {
  const { customer, keyId, statusOf, send } = await makeKey();
  const soon = new Date(begun + aheadMs + 1_000);
  await silently('update project_keys set expires_at = $2 where id = $1', [keyId, soon]);
  await silently('update accounts set access_until = $2 where id = $1', [customer.id, soon]);
  expect([await statusOf(), await send()]).toEqual([200, noPhone]);
  aheadMs += 1_000;
  expect([await statusOf(), await send()]).toEqual([401, 402]);
});

test('a change in another process stops a key that was used a moment ago', async () => {
  const { customer, project, keyId, statusOf } = await makeKey();
  await using other = await startStill(app.connectionString);
  expect([await statusOf(undefined, other.url), await statusOf(project.auth_key, other.url)]).toEqual([200, 200]);
  const params = { projectId: project.id };
  await customer.api.call(deleteProjectKey, { params: { ...params, keyId } });
  await customer.api.call(rotateAuthKey, { params, body: {} });
  await expect.poll(() => statusOf(undefined, other.url), patience).toBe(401);
  await expect.poll(() => statusOf(project.auth_key, other.url), patience).toBe(401);
});

test('an account that is suspended is refused with a key that was used a moment ago', async () => {
  const { customer, send } = await makeKey();
  expect(await send()).toBe(noPhone);
  await app.ctx.db
    .updateTable('accounts')
    .set({ suspended_at: new Date(begun), suspension_reason: 'Spam' })
    .where('id', '=', customer.id)
    .execute();
  await expect.poll(send, patience).toBe(403);
});

test('after a gap in what is told, keys are read anew', async () => {
  const { keyId, statusOf } = await makeKey();
  expect(await statusOf()).toBe(200);
  await silently('delete from project_keys where id = $1', [keyId]);
  expect(await statusOf()).toBe(200);
  await silently(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'dovepost listener' and pid <> $1`,
    [0],
  );
  await expect.poll(() => statusOf(), patience).toBe(401);
});

test('a key of the account is read once in five seconds, and a change that nobody told of counts after them', async () => {
  const { keyId, statusOf } = await makeAccountKey();
  expect(await statusOf()).toBe(200);
  await silently('delete from account_keys where id = $1', [keyId]);
  expect(await statusOf()).toBe(200);
  aheadMs += 5_000;
  expect(await statusOf()).toBe(401);
});

test.each([
  ['a key of the account has expired', 'update account_keys set expires_at = $2 where account_id = $1', 401],
  ['the account of a key has access', 'update accounts set access_until = $2 where id = $1', 402],
])('whether %s is judged at every use', async (_, statement, refused) => {
  const { customer, statusOf } = await makeAccountKey();
  await silently(statement, [customer.id, new Date(begun + aheadMs + 1_000)]);
  expect(await statusOf()).toBe(200);
  aheadMs += 1_000;
  expect(await statusOf()).toBe(refused);
});

test('a change in another process stops a key of the account that was used a moment ago', async () => {
  const { customer, keyId, statusOf } = await makeAccountKey();
  await using other = await startStill(app.connectionString);
  expect([await statusOf(undefined, other.url), await statusOf(customer.apiKey, other.url)]).toEqual([200, 200]);
  await customer.api.call(deleteAccountKey, { params: { accountKeyId: keyId } });
  await expect.poll(() => statusOf(undefined, other.url), patience).toBe(401);
  await customer.api.call(regenerateApiKey, { body: {} });
  await expect.poll(() => statusOf(customer.apiKey, other.url), patience).toBe(401);
});

test('a key of the account that was used a moment ago stops with the membership of its maker', async () => {
  const [owner, maker] = [await signUpSubscriber(app.url), await signUp(app.url)];
  await joinAccount(app, owner, maker, 'developer');
  const { statusOf } = await makeAccountKey(maker);
  expect(await statusOf()).toBe(200);
  await app.ctx.db
    .updateTable('memberships')
    .set({ removed_at: new Date(begun) })
    .where('account_id', '=', owner.id)
    .where('user_id', '=', maker.id)
    .execute();
  await expect.poll(() => statusOf(), patience).toBe(401);
});

test('an account that is suspended is refused with its own key that was used a moment ago', async () => {
  const { customer, statusOf } = await makeAccountKey();
  const track = async () => {
    const headers = { authorization: customer.apiKey, 'content-type': 'application/json' };
    const event = JSON.stringify({ phone: '+14155550123', event: 'Ordered' });
    return (await fetch(`${app.url}/api/track`, { method: 'POST', headers, body: event })).status;
  };
  expect([await statusOf(), await track()]).toEqual([200, 202]);
  await app.ctx.db
    .updateTable('accounts')
    .set({ suspended_at: new Date(begun), suspension_reason: 'Spam' })
    .where('id', '=', customer.id)
    .execute();
  await expect.poll(track, patience).toBe(403);
});
