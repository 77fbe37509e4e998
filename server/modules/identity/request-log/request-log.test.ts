import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendMessage } from '#contracts/messages.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { listProfiles } from '#contracts/profiles.ts';
import { listApiRequests } from '#contracts/request-log.ts';
import { getSuppression } from '#contracts/suppressions.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createAllowance } from './allowance.ts';
import { dropOldRequests } from './drop-old-requests.ts';
import { outlineOf } from './outline.ts';
import { storeRequests } from './store-requests.ts';
import type { NewRequest } from './store-requests.ts';

let app: TestApplication;
let aheadMs = 0;
const dayMs = 24 * 60 * 60_000;

beforeAll(async () => {
  app = await startTestApplication({ clock: { now: () => new Date(Date.now() + aheadMs) } });
});
afterAll(() => app[Symbol.asyncDispose]());

async function owner() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  const inProject = { params: { projectId: project.id } };
  const list = async (query: object = {}) => (await customer.api.call(listApiRequests, { ...inProject, query })).body;
  const byKey = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  return {
    customer,
    project,
    inProject,
    list,
    byKey,
    byApiKey: createApiClient(app.url, { authorization: customer.apiKey }),
  };
}

const message = (to: string) => ({ headers: {}, body: { to, message: 'A secret text' } });

test('requests of programs are logged with outcome and key; those of the dashboard are not', async () => {
  const { customer, inProject, list, byKey, byApiKey } = await owner();
  const sent = await byKey.call(sendMessage, message('14155550123'));
  const refused = await byKey.refuse(sendMessage, message('14155550000'));
  await byApiKey.call(getSuppression, { params: { phone: '14155550199' } }).catch(() => undefined);
  const { body: key } = await customer.api.call(createProjectKey, {
    ...inProject,
    body: { name: 'Reports', scopes: ['messages:read'] },
  });
  await createApiClient(app.url, { 'x-auth-key': key.key }).refuse(sendMessage, message('14155550123'));
  await expect.poll(async () => (await list()).data.length).toBe(4);
  const { data } = await list();
  expect(data.map(({ path, status, code, caller, key_name: name }) => [path, status, code, caller, name])).toEqual([
    ['/api/send-message', 403, 'missing_scope', 'project_key', 'Reports'],
    ['/api/suppressions/…0199', expect.any(Number), data[1]?.code, 'api_key', null],
    ['/api/send-message', 422, 'not_on_whatsapp', 'auth_key', null],
    ['/api/send-message', 200, null, 'auth_key', null],
  ]);
  expect([data[2]?.request_id, data[3]?.request_id]).toEqual([
    refused.headers.get('request-id'),
    sent.headers.get('request-id'),
  ]);
  expect(data[3]).toMatchObject({ method: 'POST', body: '{"to":"…0123","message":"13 characters"}', omitted: 0 });
  expect(data[3]?.duration_ms).toBeGreaterThan(0);
  expect(JSON.stringify(data)).not.toMatch(/secret|1415555/);
});

test('filters and pages: each request once, and nobody else’s', async () => {
  const { list, byKey, byApiKey } = await owner();
  const stranger = await owner();
  for (let n = 0; n < 5; n += 1) await byKey.call(sendMessage, message(`1415555020${n}`));
  await byKey.refuse(sendMessage, message('14155550000'));
  await byApiKey.call(listProfiles, { query: { search: 'Ada' } });
  await expect.poll(async () => (await list()).data.length).toBe(7);
  const seen: number[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const page = await list({ limit: 2, ...(after && { after }) });
    seen.push(...page.data.map(({ id }) => id));
    after = page.next_cursor;
  }
  expect(seen).toEqual((await list()).data.map(({ id }) => id));
  const count = async (query: object) => (await list(query)).data.length;
  const { data } = await list();
  expect([
    await count({ outcome: 'refused' }),
    await count({ code: 'not_on_whatsapp' }),
    await count({ method: 'GET' }),
    await count({ path: '/profiles?search' }),
    await count({ caller: 'auth_key', outcome: 'success' }),
    await count({ request_id: data[0]?.request_id }),
    await count({ created_after: new Date(Date.now() + 60_000).toISOString() }),
    await count({ created_before: new Date(Date.now() + 60_000).toISOString() }),
  ]).toEqual([1, 1, 1, 1, 5, 1, 0, 7]);
  expect((await stranger.list()).data).toEqual([]);
  expect(
    (await stranger.customer.api.refuse(listApiRequests, { params: { projectId: 999_999 }, query: {} })).status,
  ).toBe(404);
});

test('each method is logged as the contract has it', async () => {
  const { customer, list } = await owner();
  const headers = { authorization: customer.apiKey };
  await fetch(`${app.url}/api/profiles`, { method: 'HEAD', headers });
  await fetch(`${app.url}/api/messages/1`, { method: 'PATCH', headers });
  const methods = async (query: object = {}) => (await list(query)).data.map(({ method }) => method);
  await expect.poll(() => methods()).toEqual(['PATCH', 'GET']);
  expect(await methods({ method: 'PATCH' })).toEqual(['PATCH']);
});

test('a request of an account that has gone meanwhile is not stored', async () => {
  const { customer } = await owner();
  const goneId = customer.id + 1_000_000_000;
  const request = (accountId: number): NewRequest => ({
    account_id: accountId,
    project_id: null,
    created_at: app.ctx.clock.now(),
    request_id: `late-${accountId}`,
    method: 'GET',
    path: '/api/projects',
    status: 200,
    code: null,
    duration_ms: 1,
    caller: 'api_key',
    key_id: null,
    body: null,
    omitted: 0,
  });
  await storeRequests(app.ctx, [request(goneId), request(customer.id)]);
  const { rows } = await sql<{ account_id: number }>`
    select account_id from api_requests where request_id like 'late-%'
  `.execute(app.ctx.db);
  expect(rows).toEqual([{ account_id: customer.id }]);
});

test('after 30 days a request is gone, with its day', async () => {
  const { list, byKey } = await owner();
  await byKey.call(sendMessage, message('14155550123'));
  await expect.poll(async () => (await list()).data.length).toBe(1);
  expect(await dropOldRequests(app.ctx)).toEqual([]);
  aheadMs = 32 * dayMs;
  expect((await dropOldRequests(app.ctx)).length).toBeGreaterThan(1);
  aheadMs = 0;
  expect((await list()).data).toEqual([]);
});

describe('the logged outline of a body', () => {
  test.each([
    [{ to: '+1 (415) 555-0123', message: 'Hi' }, '{"to":"…0123","message":"2 characters"}'],
    [{ a: 1, b: true, c: null }, '{"a":"a number","b":true,"c":null}'],
    [{ messages: ['x', 'x', 'x', 'x', 'x'] }, '{"messages":["1 character","1 character","1 character","and 2 more"]}'],
    [{ a: { b: { c: { d: { e: 'x' } } } } }, '{"a":{"b":{"c":{"d":"…"}}}}'],
    [undefined, null],
    [Buffer.from('x'), null],
    [Readable.from(['phone\n14155550132\n']), null],
  ])('%j', (body, outline) => {
    expect(outlineOf(body)).toBe(outline);
  });

  test('the outline is bounded, however large the body', () => {
    const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => ['k'.repeat(100) + n, 'x']));
    expect(outlineOf(body)?.length).toBeLessThanOrEqual(2_000);
  });
});

test('of too many in a minute there is a number; those that fail have room of their own', () => {
  const allowance = createAllowance({ perMinute: 2 });
  const now = new Date('2026-11-21T10:00:00Z');
  const take = (isSuccess: boolean, at = now) => allowance.take(1, { isSuccess, now: at });
  expect([take(true), take(true), take(true), take(true), take(false)]).toEqual([0, 0, undefined, undefined, 2]);
  expect(allowance.take(2, { isSuccess: true, now })).toBe(0);
  expect(take(true)).toBeUndefined();
  expect(take(true, new Date('2026-11-21T10:01:00Z'))).toBe(1);
});
