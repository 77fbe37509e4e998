import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAccountKey } from '#contracts/account-keys.ts';
import { createCampaign, getCampaign, listCampaigns } from '#contracts/campaigns.ts';
import { sendBatch } from '#contracts/message-batches.ts';
import { searchMessages } from '#contracts/message-search.ts';
import { sendMessage } from '#contracts/messages.ts';
import { createProfile, listProfiles } from '#contracts/profiles.ts';
import { createProjectKey, deleteProjectKey, listProjectKeys, rotateProjectKey } from '#contracts/project-keys.ts';
import { keyScopes } from '#contracts/permissions.ts';
import type { KeyScope } from '#contracts/permissions.ts';
import type { NewProjectKey } from '#contracts/project-keys.ts';
import { getProject, rotateAuthKey } from '#contracts/projects.ts';
import { createSegment } from '#contracts/segments.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;
let aheadMs = 0;
const hourMs = 60 * 60_000;
const now = () => new Date(Date.now() + aheadMs);

beforeAll(async () => {
  app = await startTestApplication({ clock: { now } });
});

afterAll(() => app[Symbol.asyncDispose]());

async function owner() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  return { customer, project, inProject: { params: { projectId: project.id } } };
}

type Owner = Awaited<ReturnType<typeof owner>>;

async function makeKey({ customer, inProject }: Owner, body: Partial<NewProjectKey> = {}) {
  const answer = await customer.api.call(createProjectKey, {
    ...inProject,
    body: { name: 'Shop', scopes: ['messages:read'], ...body },
  });
  return { ...answer.body, api: createApiClient(app.url, { 'x-auth-key': answer.body.key }) };
}

const list = async ({ customer, inProject }: Owner) => (await customer.api.call(listProjectKeys, inProject)).body;
const codeOf = async (refusal: Promise<{ status: number; body: { code: string } }>) => {
  const { status, body } = await refusal;
  return [status, body.code];
};
const search = { query: {} };
const asKey = (key: string) => createApiClient(app.url, { 'x-auth-key': key });

describe('a key', () => {
  test('is shown once, and opens what its scopes say and no more', async () => {
    const shop = await owner();
    const key = await makeKey(shop, { scopes: ['messages:read', 'contacts:write'] });
    expect(key.key.startsWith(key.hint)).toBe(true);
    expect(key.hint.length).toBeLessThan(12);
    expect(JSON.stringify(await list(shop))).not.toContain(key.key);
    expect((await key.api.call(searchMessages, search)).status).toBe(200);
    await key.api.call(createProfile, { body: { phone: '14155550123' } });
    const { status, body } = await key.api.refuse(listProfiles, { query: {} });
    expect([status, body.code]).toEqual([403, 'missing_scope']);
    expect(body.message).toContain('contacts:read');
    const send = key.api.refuse(sendMessage, { headers: {}, body: { to: '14155550123', message: 'Hi' } });
    expect(await codeOf(send)).toEqual([403, 'missing_scope']);
  });

  test('says when it was last used', async () => {
    const shop = await owner();
    const key = await makeKey(shop);
    expect((await list(shop)).data[0]?.last_used_at).toBeNull();
    await key.api.call(searchMessages, search);
    await asKey(shop.project.auth_key).call(searchMessages, search);
    await expect.poll(async () => (await list(shop)).data[0]?.last_used_at ?? null).not.toBeNull();
    await expect.poll(async () => (await list(shop)).auth_key.last_used_at).not.toBeNull();
  });

  test('ends at its time', async () => {
    const shop = await owner();
    const key = await makeKey(shop, { expires_at: new Date(now().getTime() + hourMs).toISOString() });
    await key.api.call(searchMessages, search);
    aheadMs += 2 * hourMs;
    expect(await codeOf(key.api.refuse(searchMessages, search))).toEqual([401, 'key_expired']);
  });

  test.each([
    ['another address', ['203.0.113.7'], [403, 'address_not_allowed']],
    ['another network', ['203.0.113.0/24', '2001:db8::/32'], [403, 'address_not_allowed']],
    ['its own network', ['203.0.113.7', '127.0.0.0/8'], 200],
  ])('with %s', async (_name, addresses, expected) => {
    const key = await makeKey(await owner(), { addresses });
    if (expected === 200) expect((await key.api.call(searchMessages, search)).status).toBe(200);
    else expect(await codeOf(key.api.refuse(searchMessages, search))).toEqual(expected);
  });

  test('stops at once when it is deleted', async () => {
    const shop = await owner();
    const key = await makeKey(shop);
    await shop.customer.api.call(deleteProjectKey, { params: { ...shop.inProject.params, keyId: key.id } });
    expect(await codeOf(key.api.refuse(searchMessages, search))).toEqual([401, 'invalid_auth_key']);
    expect((await list(shop)).data).toEqual([]);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['no scope', { scopes: [] }, 'scopes'],
    ['a scope that there is not', { scopes: ['everything'] }, 'scopes.0'],
    ['no name', { name: ' ' }, 'name'],
    ['a word for an address', { addresses: ['home'] }, 'addresses.0'],
    ['an end that is over', { expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  ])('with %s is refused', async (_name, body, path) => {
    const shop = await owner();
    const refused = await shop.customer.api.refuse(createProjectKey, {
      ...shop.inProject,
      body: { name: 'Shop', scopes: ['messages:read'], ...body } as never,
    });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, path]);
  });

  test('is one of fifty at the most', async () => {
    const shop = await owner();
    for (let count = 0; count < 50; count += 1) await makeKey(shop);
    const refused = shop.customer.api.refuse(createProjectKey, {
      ...shop.inProject,
      body: { name: 'One more', scopes: ['messages:read'] },
    });
    expect(await codeOf(refused)).toEqual([409, 'key_limit']);
  });
});

describe('rotation', () => {
  const rotate = ({ customer, inProject }: Owner, keyId: number, overlapHours?: number) =>
    customer.api.call(rotateProjectKey, {
      params: { ...inProject.params, keyId },
      body: overlapHours === undefined ? {} : { overlap_hours: overlapHours },
    });

  test('ends the old key at once, unless hours are given', async () => {
    const shop = await owner();
    const key = await makeKey(shop);
    const { body: next } = await rotate(shop, key.id);
    expect(next).toMatchObject({ name: 'Shop', scopes: ['messages:read'], replaced_at: null });
    expect(await codeOf(key.api.refuse(searchMessages, search))).toEqual([401, 'key_expired']);
    const { body: last } = await rotate(shop, next.id, 24);
    for (const each of [next, last]) await asKey(each.key).call(searchMessages, search);
    aheadMs += 25 * hourMs;
    expect(await codeOf(asKey(next.key).refuse(searchMessages, search))).toEqual([401, 'key_expired']);
    await asKey(last.key).call(searchMessages, search);
  });

  test.each([
    ['at once', {}, 401],
    ['after the hours that are given', { overlap_hours: 2 }, 200],
  ])('the auth key ends %s', async (_name, body, status) => {
    const { customer, inProject, project } = await owner();
    const { body: rotated } = await customer.api.call(rotateAuthKey, { ...inProject, body });
    expect(rotated.auth_key).not.toBe(project.auth_key);
    const response = await fetch(`${app.url}/api/messages`, { headers: { 'x-auth-key': project.auth_key } });
    expect(response.status).toBe(status);
    aheadMs += 3 * hourMs;
    expect(await codeOf(asKey(project.auth_key).refuse(searchMessages, search))).toEqual([
      401,
      status === 200 ? 'key_expired' : 'invalid_auth_key',
    ]);
    await asKey(rotated.auth_key ?? '').call(searchMessages, search);
  });
});

test('a key of the wrong kind is refused with the name of its kind', async () => {
  const { customer, project, inProject } = await owner();
  const asAuthKey = await asKey(customer.apiKey).refuse(searchMessages, search);
  expect([asAuthKey.status, asAuthKey.body.code]).toEqual([401, 'wrong_key_kind']);
  expect(asAuthKey.body.message).toContain('API key');
  for (const headers of [{ authorization: project.auth_key }, { 'x-auth-key': project.auth_key }]) {
    const refused = await createApiClient(app.url, headers).refuse(getProject, inProject);
    expect([refused.status, refused.body.code]).toEqual([401, 'wrong_key_kind']);
    expect(refused.body.message).toContain("project's key");
  }
});

test('an endpoint of project keys alone says where the right key belongs', async () => {
  const { customer, project } = await owner();
  const takesProjectKey = "this endpoint takes a project's key, as x-auth-key";
  const cases: [Record<string, string>, string, string][] = [
    [{}, 'invalid_auth_key', "Send the project's key in the header x-auth-key"],
    [{ authorization: project.auth_key }, 'wrong_key_kind', "This is a project's key: send it as x-auth-key"],
    [{ authorization: customer.apiKey }, 'wrong_key_kind', `This is the account's API key: ${takesProjectKey}`],
    [{ 'x-auth-key': customer.apiKey }, 'wrong_key_kind', `This is the account's API key: ${takesProjectKey}`],
    [{ 'x-auth-key': customer.token }, 'wrong_key_kind', `This is the token of a session: ${takesProjectKey}`],
    [{ 'x-auth-key': 'nonsense' }, 'invalid_auth_key', 'The x-auth-key header holds no valid auth key'],
  ];
  for (const [headers, code, message] of cases) {
    const { status, body } = await createApiClient(app.url, headers).refuse(sendBatch, { body: { messages: [] } });
    expect({ status, code: body.code, message: body.message }).toEqual({ status: 401, code, message });
  }
});

test('objects of other projects of the account are not found with the key of a project', async () => {
  const first = await owner();
  const { customer } = first;
  await app.ctx.db.updateTable('plans').set({ project_limit: 5 }).execute();
  const other = await makeProject(customer);
  const condition = { fieldPath: 'name', operator: 'exists' } as const;
  const { body: segment } = await customer.api.call(createSegment, { body: { name: 'Named', condition } });
  const campaign = (projectId: number) => ({
    body: { name: 'Hello', project_id: projectId, segment_id: segment.id, message: 'Hi' },
  });
  const { body: own } = await customer.api.call(createCampaign, campaign(first.project.id));
  const { body: foreign } = await customer.api.call(createCampaign, campaign(other.id));
  const { api } = await makeKey(first, { scopes: ['campaigns:read', 'campaigns:write', 'webhooks:read'] });
  expect((await api.call(listCampaigns)).body.data.map(({ id }) => id)).toEqual([own.id]);
  const refusals = [
    api.refuse(getCampaign, { params: { campaignId: foreign.id } }),
    api.refuse(createCampaign, campaign(other.id)),
    api.refuse(listWebhooks, { params: { projectId: other.id }, query: {} }),
  ];
  for (const refusal of refusals) expect(await codeOf(refusal)).toEqual([404, 'not_found']);
  expect((await api.call(getCampaign, { params: { campaignId: own.id } })).status).toBe(200);
});

describe('a key opens no more than its maker may do', () => {
  const grant = (shop: Owner, api: Owner['customer']['api'], scope: KeyScope) =>
    api
      .call(createProjectKey, { ...shop.inProject, body: { name: 'Shop', scopes: ['messages:send', scope] } })
      .then(({ status }) => status)
      .catch((error: unknown) => String(error));

  async function refusedOf(shop: Owner, api: Owner['customer']['api']): Promise<string[]> {
    const answers = await Promise.all(keyScopes.map(async (scope) => [scope, await grant(shop, api, scope)] as const));
    return answers.flatMap(([scope, answer]) => (answer === 201 ? [] : [scope]));
  }

  test.each([
    ['admin', false, []],
    ['admin', true, ['contacts:read', 'contacts:write', 'events:write', 'campaigns:write', 'templates:write']],
    ['developer', false, ['contacts:write', 'campaigns:read', 'campaigns:write', 'templates:write']],
    [
      'developer',
      true,
      ['contacts:read', 'contacts:write', 'events:write', 'campaigns:read', 'campaigns:write', 'templates:write'],
    ],
  ] as const)('%s, narrowed to projects: %s', async (role, isNarrowed, refused) => {
    const shop = await owner();
    const person = await signUp(app.url);
    await joinAccount(app, shop.customer, person, role, isNarrowed ? [shop.project.id] : null);
    expect(await refusedOf(shop, person.api)).toEqual(refused);
    const wide = await makeKey(shop, { scopes: [...keyScopes] });
    const rotation = { params: { projectId: shop.project.id, keyId: wide.id }, body: { overlap_hours: 0 } };
    if (refused.length === 0) return;
    expect(await codeOf(person.api.refuse(rotateProjectKey, rotation))).toEqual([403, 'missing_permission']);
    expect((await wide.api.call(searchMessages, search)).status).toBe(200);
  });

  test('a key of the account grants its own scopes alone', async () => {
    const shop = await owner();
    const { body: made } = await shop.customer.api.call(createAccountKey, {
      body: { name: 'Keys', scopes: ['keys:write', 'messages:send', 'messages:read'] },
    });
    const api = createApiClient(app.url, { authorization: made.key });
    const body = { name: 'Shop', scopes: ['contacts:read' as const] };
    expect(await codeOf(api.refuse(createProjectKey, { ...shop.inProject, body }))).toEqual([403, 'missing_scope']);
    expect(await grant(shop, api, 'messages:read')).toBe(201);
  });
});
