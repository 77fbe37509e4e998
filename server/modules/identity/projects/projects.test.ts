import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPhoneNumber, disconnectPhone, updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { openConversation } from '#contracts/conversations.ts';
import { sendMessage } from '#contracts/messages.ts';
import * as contract from '#contracts/projects.ts';
import { createWebhookEndpoint } from '#contracts/webhook-endpoints.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { findProjectByKey } from './index.ts';

let application: TestApplication;

beforeAll(async () => {
  application = await startTestApplication({ env: { WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'false' } });
});

afterAll(() => application[Symbol.asyncDispose]());

const customer = () => signUpSubscriber(application.url);
const byId = (projectId: number) => ({ params: { projectId } });

async function statusOf({ api }: Customer, projectId: number) {
  const { status, is_connected, connected_at } = (await api.call(contract.getProject, byId(projectId))).body;
  return { status, is_connected, hasConnectedAt: connected_at !== null };
}

describe('creating', () => {
  test('answers the project with its keys', async () => {
    const { api } = await customer();
    const { status, body } = await api.call(contract.createProject, {
      body: { name: '  Shop ', webhook_url: 'https://example.com/hook' },
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      name: 'Shop',
      webhook_url: 'https://example.com/hook',
      status: 'created',
      is_connected: false,
      connected_at: null,
    });
    expect(body.auth_key).toMatch(/^dpa_/);
    expect(body.webhook_secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect((await api.call(contract.listProjects)).body.data).toEqual([body]);
    expect((await api.call(contract.getProject, byId(body.id))).body).toEqual(body);
  });

  test('takes no URL, an empty one and null alike', async () => {
    for (const body of [{ name: 'A' }, { name: 'A', webhook_url: '' }, { name: 'A', webhook_url: null }]) {
      const { api } = await customer();
      expect((await api.call(contract.createProject, { body })).body.webhook_url).toBeNull();
    }
  });

  test('stops at the limit of the plan, however many come at once', async () => {
    const { api } = await customer();
    const create = () => api.call(contract.createProject, { body: { name: 'Shop' } }).catch((error: Error) => error);
    const replies = await Promise.all(Array.from({ length: 12 }, create));
    expect(replies.filter((reply) => !(reply instanceof Error))).toHaveLength(1);
    expect(await api.refuse(contract.createProject, { body: { name: 'Shop' } })).toMatchObject({
      status: 409,
      body: { code: 'project_limit', message: 'Your plan includes 1 project. Delete one to create another.' },
    });
    expect((await api.call(contract.listProjects)).body.data).toHaveLength(1);
  });

  test('asks for a name and a subscription', async () => {
    const { api } = await customer();
    const nameless = await api.refuse(contract.createProject, { body: { name: ' ' } });
    expect(nameless).toMatchObject({ status: 422, body: { errors: [{ path: 'name' }] } });
    const unpaid = await signUp(application.url);
    expect(await unpaid.api.refuse(contract.createProject, { body: { name: 'Shop' } })).toMatchObject({ status: 402 });
  });
});

test.each(['http://localhost/', 'http://127.1/', 'ftp://example.com/', 'https://me@example.com/', 'not a url'])(
  'the webhook URL %s is refused on its field',
  async (webhook_url) => {
    const owner = await customer();
    const refused = { status: 422, body: { errors: [{ path: 'webhook_url' }] } };
    const { api } = owner;
    expect(await api.refuse(contract.createProject, { body: { name: 'Shop', webhook_url } })).toMatchObject(refused);
    const { id } = await makeProject(owner);
    const change = { ...byId(id), body: { webhook_url } };
    expect(await api.refuse(contract.updateProjectWebhook, change)).toMatchObject(refused);
  },
);

test('a project is renamed, its webhook URL set and removed', async () => {
  const owner = await customer();
  const { api } = owner;
  const project = await makeProject(owner);
  const renamed = await api.call(contract.updateProject, { ...byId(project.id), body: { name: 'Store' } });
  expect(renamed.body).toEqual({ ...project, name: 'Store' });
  expect((await api.call(contract.updateProject, { ...byId(project.id), body: {} })).body).toEqual(renamed.body);
  for (const webhook_url of ['https://example.com/', null]) {
    const { body } = await api.call(contract.updateProjectWebhook, { ...byId(project.id), body: { webhook_url } });
    expect(body).toEqual({ ...renamed.body, webhook_url });
  }
});

test('how long files are kept is a setting of the project', async () => {
  const owner = await customer();
  const { api } = owner;
  const { id, media_kept_days: byDefault } = await makeProject(owner);
  expect(byDefault).toBe(90);
  const { body } = await api.call(contract.updateProject, { ...byId(id), body: { media_kept_days: 7 } });
  expect(body.media_kept_days).toBe(7);
  for (const media_kept_days of [0, 1.5, 3651]) {
    const { status, body: problem } = await api.refuse(contract.updateProject, {
      ...byId(id),
      body: { media_kept_days },
    });
    expect([status, problem.errors?.map(({ path }) => path)]).toEqual([422, ['media_kept_days']]);
  }
});

describe('keys', () => {
  test('an auth key leads to its project until it is rotated', async () => {
    const owner = await customer();
    const project = await makeProject(owner);
    const found = {
      account: { id: owner.id, timezone: 'UTC' },
      project: { id: project.id },
      hasAccess: true,
      suspension: null,
    };
    expect(await findProjectByKey(application.ctx, project.auth_key)).toMatchObject(found);
    const { body: rotated } = await owner.api.call(contract.rotateAuthKey, { ...byId(project.id), body: {} });
    expect(rotated).toEqual({ ...project, auth_key: rotated.auth_key });
    expect(await findProjectByKey(application.ctx, project.auth_key)).toBeUndefined();
    expect(await findProjectByKey(application.ctx, rotated.auth_key ?? '')).toMatchObject(found);
  });

  test('a mistyped key asks the database nothing', async () => {
    const { auth_key } = await makeProject(await customer());
    const withoutDatabase = { ...application.ctx, db: undefined as never };
    for (const key of ['', 'dpa_', auth_key.slice(0, -1), `${auth_key}x`, auth_key.replace(/.$/, '!')]) {
      expect(await findProjectByKey(withoutDatabase, key)).toBeUndefined();
    }
  });

  test('the webhook secret is replaced alone', async () => {
    const owner = await customer();
    const project = await makeProject(owner);
    const { body: rotated } = await owner.api.call(contract.rotateWebhookSecret, { ...byId(project.id), body: {} });
    expect(rotated.webhook_secret).not.toBe(project.webhook_secret);
    expect(rotated).toEqual({ ...project, webhook_secret: rotated.webhook_secret });
  });

  test('are not readable in the database', async () => {
    const project = await makeProject(await customer());
    const row = await application.ctx.db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', project.id)
      .executeTakeFirstOrThrow();
    const stored = Object.values(row).map((value) =>
      Buffer.isBuffer(value) ? value.toString('latin1') : String(value),
    );
    expect(stored.join()).not.toContain(project.auth_key);
    expect(stored.join()).not.toContain(project.webhook_secret);
  });
});

test("a project's status follows its phones", async () => {
  const owner = await customer();
  const { id } = await makeProject(owner);
  const gone = { status: 'disconnected', is_connected: false, hasConnectedAt: false };
  const connected = { status: 'connected', is_connected: true, hasConnectedAt: true };
  const first = await connectSandboxPhone(owner, id);
  expect(await statusOf(owner, id)).toEqual(connected);
  const second = await connectSandboxPhone(owner, id);
  await owner.api.call(disconnectPhone, { params: { phoneId: first.id } });
  expect(await statusOf(owner, id)).toEqual(connected);
  await owner.api.call(disconnectPhone, { params: { phoneId: second.id } });
  expect(await statusOf(owner, id)).toEqual(gone);
});

test('two phones that change at once leave the right status', async () => {
  const owner = await customer();
  const { id } = await makeProject(owner);
  const phones = [await connectSandboxPhone(owner, id), await connectSandboxPhone(owner, id)];
  await Promise.all(phones.map((phone) => owner.api.call(disconnectPhone, { params: { phoneId: phone.id } })));
  expect(await statusOf(owner, id)).toMatchObject({ status: 'disconnected' });
});

test('disconnect signs all phones out', async () => {
  const owner = await customer();
  const { id } = await makeProject(owner);
  await connectSandboxPhone(owner, id);
  await connectSandboxPhone(owner, id);
  const { body } = await owner.api.call(contract.disconnectProject, byId(id));
  expect(body).toMatchObject({ status: 'disconnected', is_connected: false, connected_at: null });
  expect(body.sending).toMatchObject({ can_send: false, reason: 'no_connected_phone' });
});

test('the sending state of a project is what the rotation would answer', async () => {
  const owner = await customer();
  const { id } = await makeProject(owner);
  const sending = async () => (await owner.api.call(contract.getProject, byId(id))).body.sending;
  expect(await sending()).toMatchObject({ can_send: false, reason: 'no_connected_phone', connector: null });
  const phone = await connectSandboxPhone(owner, id);
  expect(await sending()).toEqual({ can_send: true, connector: 'sandbox', reason: null, message: null, until: null });
  const change = (body: object) => owner.api.call(updatePhoneNumber, { params: { phoneId: phone.id }, body });
  await change({ is_active: false });
  expect(await sending()).toMatchObject({ can_send: false, reason: 'phones_inactive' });
  await change({ is_active: true, max_daily_messages: 1 });
  const headers = { 'x-auth-key': (await owner.api.call(contract.getProject, byId(id))).body.auth_key } as object;
  await owner.api.call(sendMessage, { headers, body: { to: '14155550123', message: 'Hi' } });
  expect(await sending()).toMatchObject({ can_send: false, reason: 'daily_limit_reached', until: expect.any(String) });
});

test('a project says how many phones it has, and how many of them are connected', async () => {
  const owner = await customer();
  const { id } = await makeProject(owner);
  const counts = async () => {
    const { data } = (await owner.api.call(contract.listProjects)).body;
    return data.map(({ phone_count, connected_phone_count }) => [phone_count, connected_phone_count]);
  };
  expect(await counts()).toEqual([[0, 0]]);
  await connectSandboxPhone(owner, id);
  await owner.api.call(addPhoneNumber, { params: { projectId: id }, body: { phone_number: '5511900000300' } });
  expect(await counts()).toEqual([[2, 1]]);
});

test('deleting a project makes room and leaves nothing of it', async () => {
  const owner = await customer();
  const project = await makeProject(owner);
  await connectSandboxPhone(owner, project.id);
  expect((await owner.api.call(contract.deleteProject, byId(project.id))).status).toBe(204);
  expect(await owner.api.refuse(contract.getProject, byId(project.id))).toMatchObject({ status: 404 });
  const phones = await application.ctx.db
    .selectFrom('phones')
    .select('id')
    .where('account_id', '=', owner.id)
    .execute();
  expect(phones).toEqual([]);
  await makeProject(owner);
});

test("another account's project is not there", async () => {
  const project = await makeProject(await customer());
  const stranger = await customer();
  const { api } = stranger;
  const refusals = [
    api.refuse(contract.getProject, byId(project.id)),
    api.refuse(contract.updateProject, { ...byId(project.id), body: { name: 'Mine' } }),
    api.refuse(contract.updateProject, { ...byId(project.id), body: {} }),
    api.refuse(contract.updateProjectWebhook, { ...byId(project.id), body: { webhook_url: 'https://example.com/' } }),
    api.refuse(contract.rotateAuthKey, { ...byId(project.id), body: {} }),
    api.refuse(contract.rotateWebhookSecret, { ...byId(project.id), body: {} }),
    api.refuse(contract.connectProject, byId(project.id)),
    api.refuse(contract.disconnectProject, byId(project.id)),
    api.refuse(contract.deleteProject, byId(project.id)),
  ];
  for (const refusal of await Promise.all(refusals)) {
    expect(refusal).toMatchObject({ status: 404, body: { code: 'not_found', message: 'Project not found' } });
  }
  expect((await api.call(contract.listProjects)).body.data).toEqual([]);
});

test('a project that is deleted while something is made in it is not found', async () => {
  const owner = await customer();
  const { api } = owner;
  const makes: ((projectId: number, phoneId: number) => Promise<{ status: number }>)[] = [
    (projectId) => api.refuse(addPhoneNumber, { ...byId(projectId), body: { connector: 'sandbox' } }),
    (projectId) => api.refuse(openConversation, { body: { project_id: projectId, phone: '+1 415 555 0132' } }),
    (projectId) =>
      api.refuse(createWebhookEndpoint, { ...byId(projectId), body: { url: 'https://example.com', events: ['*'] } }),
    (_, phoneId) => api.refuse(updatePhoneNumber, { params: { phoneId }, body: { name: 'Shop' } }),
  ];
  for (const make of makes) {
    const { id: projectId } = await makeProject(owner);
    const { id: phoneId } = await connectSandboxPhone(owner, projectId);
    const { pool } = application.ctx;
    const deleting = await pool.connect();
    await deleting.query('begin');
    await deleting.query('delete from projects where account_id = $1 and id = $2', [owner.id, projectId]);
    const answer = make(projectId, phoneId);
    await untilSomebodyWaits(pool);
    await deleting.query('commit');
    deleting.release();
    expect((await answer).status).toBe(404);
  }
});
