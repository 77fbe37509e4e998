import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createCampaign, listRecipients } from '#contracts/campaigns.ts';
import { openConversation } from '#contracts/conversations.ts';
import { permissionsOf } from '#contracts/endpoint.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { createFlow, listDeliveries } from '#contracts/flows.ts';
import { endpoints } from '#contracts/index.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { keyScopes } from '#contracts/permissions.ts';
import type { KeyScope } from '#contracts/permissions.ts';
import { createProfile, updateProfile } from '#contracts/profiles.ts';
import { createProjectKey, listProjectKeys, rotateProjectKey } from '#contracts/project-keys.ts';
import { scopeTable } from '#contracts/scope-table.ts';
import { createTemplate } from '#contracts/saved-templates.ts';
import { createSegment } from '#contracts/segments.ts';
import { createWebhookEndpoint, listWebhookEndpoints } from '#contracts/webhook-endpoints.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import type { Customer, OwnProject } from './support/customer.ts';
import { joinAccount } from './support/join-account.ts';
import { patience } from '#tests/support/patience.ts';
import { makeOneOfEverything } from './support/one-of-everything.ts';

let app: TestApplication;
let owner: Customer;
let project: OwnProject;
let ids: Record<string, number | string>;
/** Texts that only answers of certain scopes may hold, with those scopes; none: no answer to a key. */
let marked: [text: string, scopes: readonly KeyScope[]][];

const contact = '14155550177';

beforeAll(async () => {
  app = await startTestApplication();
  owner = await signUpSubscriber(app.url);
  project = await makeProject(owner, 'http://127.0.0.1:9/hook');
  const { api } = owner;
  const inProject = { params: { projectId: project.id } };
  const things = await makeOneOfEverything(app, owner, project);
  const { body: endpoint } = await api.call(createWebhookEndpoint, {
    ...inProject,
    body: { url: 'http://127.0.0.1:9/marked', events: ['*'] },
  });
  const { body: profile } = await api.call(createProfile, {
    body: { phone: contact, name: 'Ada Contactmark', custom_fields: { city: 'Fieldmark' } },
  });
  const condition = { fieldPath: 'custom_fields.city', operator: 'equals', value: 'Fieldmark' } as const;
  const { body: segment } = await api.call(createSegment, { body: { name: 'Segmentmark', condition } });
  const { body: campaign } = await api.call(createCampaign, {
    body: { name: 'Spring', project_id: project.id, segment_id: segment.id, message: 'Hi {name}, Campaignmark' },
  });
  const { body: flow } = await api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [condition],
      action: { projectId: project.id, message: 'Dear {name}' },
      active: true,
    },
  });
  await api.call(createTemplate, { body: { name: 'Marked', message: 'Templatemark' } });
  const phoneId = Number(things['phoneId']);
  await api.call(receiveSandboxMessage, { params: { phoneId }, body: { from: contact, message: 'Textmark' } });
  const { body: scheduled } = await api.as({ 'x-auth-key': project.auth_key }).call(sendMessage, {
    headers: {},
    body: { to: contact, message: 'Textmark', send_at: new Date(Date.now() + 3_600_000).toISOString() },
  });
  const { body: conversation } = await api.call(openConversation, { body: { project_id: project.id, phone: contact } });
  ids = {
    ...things,
    profileId: profile.id,
    campaignId: campaign.id,
    flowId: flow.id,
    segmentId: segment.id,
    messageId: scheduled.id,
    endpointId: endpoint.id,
    conversationId: conversation.id,
    phone: contact,
  };
  const recipients = () => api.call(listRecipients, { params: { campaignId: campaign.id }, query: {} });
  await vi.waitUntil(async () => (await recipients()).body.data[0]?.message_id, patience);
  const deliveries = () => api.call(listDeliveries, { params: { flowId: flow.id }, query: {} });
  await vi.waitUntil(async () => (await deliveries()).body.deliveries[0]?.message_id, patience);
  marked = [
    ['Textmark', ['messages:read']],
    ['Contactmark', ['messages:read', 'contacts:read']],
    [contact, ['messages:read', 'contacts:read', 'campaigns:read']],
    // The conditions of a flow are its own.
    ['Fieldmark', ['contacts:read', 'campaigns:read']],
    ['Segmentmark', ['contacts:read']],
    ['Campaignmark', ['campaigns:read', 'messages:read']],
    ['Templatemark', ['templates:read']],
    [endpoint.secret ?? '', []],
    [project.webhook_secret, []],
  ];
});

afterAll(() => app[Symbol.asyncDispose]());

const condition = { fieldPath: 'custom_fields.city', operator: 'equals', value: 'Fieldmark' };

/** Bodies that change little, so that the answers are those of things that exist. */
const bodies: Record<string, () => unknown> = {
  'POST /api/conversations': () => ({ project_id: project.id, phone: '14155550178' }),
  'PATCH /api/conversations/{conversationId}': () => ({}),
  'POST /api/conversations/{conversationId}/messages': () => ({ message: 'Answer' }),
  'PUT /api/projects/{projectId}/webhook-endpoints/{endpointId}': () => ({ description: 'Changed' }),
  'POST /api/projects/{projectId}/webhook-endpoints': () => ({ url: 'http://127.0.0.1:9/third', events: ['*'] }),
  'POST /api/projects/{projectId}/webhooks/replay': () => ({ since: '2026-01-01T00:00:00Z' }),
  'POST /api/campaigns/preview': () => ({ project_id: project.id, segment_id: ids['segmentId'], message: 'Hi {name}' }),
  'POST /api/flows/preview': () => ({
    conditions: [condition],
    action: { projectId: project.id, message: 'Hi {name}' },
    message: 'Hi {name}',
    project_id: project.id,
  }),
  'POST /api/flows/preview-count': () => ({ conditions: [condition] }),
  'POST /api/segments/preview-count': () => ({ condition }),
  'PUT /api/flows/{flowId}': () => ({ name: 'Welcome again' }),
  'POST /api/send-message': () => ({ to: '14155550179', message: 'Hello' }),
};

const hasAnswer = ({ response }: Endpoint) => Object.values(response).some((schema) => schema !== undefined);
const opensTo = (scope: KeyScope) =>
  endpoints.filter(
    (each) =>
      each.callers !== 'anyone' &&
      each.callers.includes('project_key') &&
      hasAnswer(each) &&
      permissionsOf(each).every((permission) => permission === scope),
  );

/** `GET`s first: later requests may change what they answer. */
const inOrder = (scope: KeyScope) =>
  opensTo(scope).toSorted((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'));

const queries = {
  '/changes': '?after=0',
  values: '?path=custom_fields.city',
  '/check': '?number=14155550123',
  '/segments/counts': '?ids=1',
  '/segments/usage': '?ids=1',
};

async function askAs(key: string, { method, path }: Endpoint): Promise<{ status: number; text: string }> {
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(ids[name]));
  const body = bodies[`${method} ${path}`]?.() ?? {};
  const [, query = ''] = Object.entries(queries).find(([end]) => path.endsWith(end)) ?? [];
  const hasBody = method !== 'GET';
  const response = await fetch(app.url + url + query, {
    method,
    headers: { 'x-auth-key': key, ...(hasBody && { 'content-type': 'application/json' }) },
    ...(hasBody && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

async function keyWith(scope: KeyScope): Promise<string> {
  const params = { projectId: project.id };
  return (await owner.api.call(createProjectKey, { params, body: { name: scope, scopes: [scope] } })).body.key;
}

describe('an answer holds nothing that its caller could not read elsewhere', () => {
  test.each(keyScopes)('with %s alone', async (scope) => {
    const key = await keyWith(scope);
    const held: string[] = [];
    const unanswered: string[] = [];
    for (const endpoint of inOrder(scope)) {
      const { status, text } = await askAs(key, endpoint);
      const name = `${endpoint.method} ${endpoint.path}`;
      if (endpoint.method === 'GET' && ![200, 206].includes(status) && !name.endsWith('/thumbnail'))
        unanswered.push(`${name}: ${status} ${text}`);
      if (status === 401 || status === 403 || status >= 500) unanswered.push(`${name}: ${status} ${text}`);
      for (const [mark, scopes] of marked) {
        if (!scopes.includes(scope) && text.includes(mark)) held.push(`${name} holds ${mark}`);
      }
    }
    expect({ held, unanswered }).toEqual({ held: [], unanswered: [] });
  });

  test.each<[string, KeyScope]>([
    ['Textmark', 'messages:read'],
    ['Contactmark', 'contacts:read'],
    ['Campaignmark', 'campaigns:read'],
    ['Templatemark', 'templates:read'],
  ])('and %s is read with %s, so the walk would have seen it', async (mark, scope) => {
    const key = await keyWith(scope);
    const answers = await Promise.all(
      inOrder(scope)
        .filter(({ method }) => method === 'GET')
        .map((endpoint) => askAs(key, endpoint)),
    );
    expect(answers.some(({ text }) => text.includes(mark))).toBe(true);
  });

  test('a signing secret is shown when it is made, and later to a session alone', async () => {
    const params = { projectId: project.id };
    const own = await owner.api.call(listWebhookEndpoints, { params });
    expect(own.body.data.every(({ secret }) => secret?.startsWith('whsec_'))).toBe(true);
    const asAccount = await owner.api.as({ authorization: owner.apiKey }).call(listWebhookEndpoints, { params });
    expect(asAccount.body.data.map(({ secret }) => secret)).toEqual(own.body.data.map(() => null));
  });

  test('an answer to a change holds what the change named', async () => {
    const { id } = (await owner.api.call(createProfile, { body: { phone: '14155550166', name: 'Grace' } })).body;
    const key = await keyWith('contacts:write');
    const answerTo = async (method: string, path: string, body: object) => {
      const headers = { 'x-auth-key': key, 'content-type': 'application/json' };
      return (await fetch(app.url + path, { method, headers, body: JSON.stringify(body) })).json();
    };
    const fields = { city: 'Hidden', plan: 'pro' };
    await owner.api.call(updateProfile, { params: { profileId: id }, body: { custom_fields: fields } });
    const merged = { phone: '14155550166', custom_fields: { plan: 'free' } };
    expect(await answerTo('PUT', '/api/profiles', merged)).toMatchObject({ id, ...merged, name: null, tags: [] });
    expect(await answerTo('PUT', `/api/profiles/${id}`, {})).toMatchObject({
      id,
      phone: '',
      name: null,
      custom_fields: null,
    });
    const suppression = { phone: '14155550165', note: 'By phone' };
    expect(await answerTo('POST', '/api/suppressions', suppression)).toMatchObject(suppression);
  });

  test('previews over conditions need contacts:read, too', async () => {
    const key = await keyWith('campaigns:read');
    const previews = endpoints.filter(({ alsoNeeds }) => alsoNeeds === 'contacts:read');
    expect(previews).toHaveLength(3);
    for (const endpoint of previews) {
      const { path } = endpoint;
      const { status, text } = await askAs(key, endpoint);
      expect([path, status, JSON.parse(text)]).toMatchObject([
        path,
        403,
        { code: 'missing_scope', message: expect.stringContaining('contacts:read') as string },
      ]);
    }
  });
});

describe('a key from before scopes bounded answers', () => {
  const makeOld = (scopes: string[]) =>
    app.ctx.pool.query(
      `insert into project_keys (account_id, project_id, name, key_hash, hint, scopes, addresses, created_at)
       values ($1, $2, 'Old', '\\x00', 'dpp_old', $3, '{}', now())`,
      [owner.id, project.id, scopes],
    );

  test('keeps files and templates, and its page names what it lost', async () => {
    await makeOld(['media', 'campaigns:read', 'webhooks:read', 'messages:send']);
    const { body } = await owner.api.call(listProjectKeys, { params: { projectId: project.id } });
    const old = body.data.find(({ name }) => name === 'Old');
    expect(old?.scopes).toEqual([
      'messages:send',
      'media:read',
      'media:write',
      'campaigns:read',
      'templates:read',
      'webhooks:read',
    ]);
    expect(old?.no_longer).toEqual([
      'Names and texts of conversations and cancelled messages (messages:read)',
      'What webhook records and events hold (messages:read)',
      'Signing secrets of endpoints that exist (a session alone)',
      "Texts of flows' deliveries (messages:read)",
      'Previews, counts and names of contacts (contacts:read)',
    ]);
    expect(body.data.find(({ name }) => name !== 'Old')?.no_longer).toEqual([]);
  });

  test('media stands for both ways of a new key', async () => {
    const params = { projectId: project.id };
    const body = { name: 'Files', scopes: ['media' as const] };
    expect((await owner.api.call(createProjectKey, { params, body })).body.scopes).toEqual([
      'media:read',
      'media:write',
    ]);
  });
});

test('a key that only sends forwards nothing, and is told of nobody whom it did not name', async () => {
  const key = await keyWith('messages:send');
  const send = async (body: object) => {
    const answer = await fetch(`${app.url}/api/send-message`, {
      method: 'POST',
      headers: { 'x-auth-key': key, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: (await answer.json()) as object };
  };
  const path = 'forward.message_id';
  expect(await send({ to: '14155550178', forward: { message_id: ids['messageId'] } })).toMatchObject({
    status: 422,
    body: { errors: [{ path, message: 'To forward messages the key needs the scope messages:read' }] },
  });
  const named = { status: 200, body: { to: contact, profile_id: null, message: 'Hi' } };
  expect(await send({ to: contact, message: 'Hi' })).toMatchObject(named);
  const unnamed = { ...named, body: { ...named.body, to: null, from_lid: null } };
  expect(await send({ to: { conversation_id: ids['conversationId'] }, message: 'Hi' })).toMatchObject(unnamed);
});

test('a key exports nothing where its maker may not, also in the place of a key that did', async () => {
  const developer = await signUpSubscriber(app.url);
  await joinAccount(app, owner, developer, 'developer');
  const params = { projectId: project.id };
  const body = { name: 'Reports', scopes: ['contacts:read' as const, 'messages:read' as const] };
  const ask = async (key: string, path: string) =>
    (await fetch(app.url + path, { headers: { 'x-auth-key': key } })).status;
  const all = async (key: string) => [
    await ask(key, '/api/profiles'),
    await ask(key, '/api/profiles/export'),
    await ask(key, '/api/messages/export'),
  ];
  const { key, id: keyId, scopes } = (await developer.api.call(createProjectKey, { params, body })).body;
  expect(scopes).toEqual(['messages:read', 'contacts:read']);
  expect(await all(key)).toEqual([200, 403, 403]);
  const rotate = async ({ api }: Customer, replaced: number) =>
    (await api.call(rotateProjectKey, { params: { ...params, keyId: replaced }, body: { overlap_hours: 0 } })).body;
  const ofOwner = await rotate(owner, keyId);
  expect(await all(ofOwner.key)).toEqual([200, 200, 200]);
  expect(await all((await rotate(developer, ofOwner.id)).key)).toEqual([200, 403, 403]);
});

test('an answer that is kept for one key is not repeated to another that may read less', async () => {
  const params = { projectId: project.id };
  const body = { name: 'Inbox', scopes: ['messages:send' as const, 'messages:read' as const] };
  const { key: reader } = (await owner.api.call(createProjectKey, { params, body })).body;
  const open = async (key: string) => {
    const answer = await fetch(`${app.url}/api/conversations`, {
      method: 'POST',
      headers: { 'x-auth-key': key, 'content-type': 'application/json', 'idempotency-key': 'the same' },
      body: JSON.stringify({ project_id: project.id, phone: contact }),
    });
    return { status: answer.status, body: (await answer.json()) as object };
  };
  expect(await open(reader)).toMatchObject({ status: 201, body: { name: 'Ada Contactmark' } });
  expect(await open(reader)).toMatchObject({ status: 201, body: { name: 'Ada Contactmark' } });
  expect(await open(await keyWith('messages:send'))).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict' },
  });
});

test('the guide to keys has the scopes with what they open, as the contracts say it', async () => {
  const guide = await readFile('web/docs/guides/02-keys.md', 'utf8');
  const scopes = scopeTable();
  // The formatter fills cells up.
  const plain = (text: string) => text.replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
  expect(plain(guide).includes(plain(scopes)), `web/docs/guides/02-keys.md has to hold\n${scopes}`).toBe(true);
});
