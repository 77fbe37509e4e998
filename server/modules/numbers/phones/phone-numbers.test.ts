import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  addPhoneNumber,
  connectPhone,
  deletePhoneNumber,
  disconnectPhone,
  getPhoneNumber,
  listPhoneNumbers,
  requestPairingCode,
  updatePhoneNumber,
} from '#contracts/phone-numbers.ts';
import type { PhoneNumberChange } from '#contracts/phone-numbers.ts';
import { listSecurityEvents } from '#contracts/security-events.ts';
import { sendMessage } from '#contracts/messages.ts';
import { disconnectProject, getProject } from '#contracts/projects.ts';
import { updateCurrentUser } from '#contracts/accounts.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

async function owner() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const { api } = customer;
  const params = { projectId: project.id };
  return {
    customer,
    api,
    projectId: project.id,
    project: async () => (await api.call(getProject, { params })).body,
    phones: async () => (await api.call(listPhoneNumbers, { params })).body.data,
    add: async (phone_number: string, rest: object = {}) =>
      (await api.call(addPhoneNumber, { params, body: { phone_number, ...rest } })).body,
    refuseAdd: async (body: object) => await api.refuse(addPhoneNumber, { params, body }),
  };
}

describe('adding', () => {
  test('keeps digits and fills in the defaults', async () => {
    const { add, phones } = await owner();
    const phone = await add('+1 (234) 567-8901', { name: '  ' });
    expect(phone).toMatchObject({
      phone_number: '12345678901',
      name: null,
      connector: 'whatsapp',
      priority: 0,
      max_daily_messages: 1000,
      is_active: true,
      is_connected: false,
      status: 'created',
      error: null,
      daily_message_count: 0,
      message_count: 0,
      last_used_at: null,
    });
    const second = await add('+441234567890');
    expect((await phones()).map(({ id }) => id)).toEqual([second.id, phone.id]);
  });

  test('a sandbox without a number gets one, connects by itself and has no daily maximum', async () => {
    const { api, projectId, phones, refuseAdd } = await owner();
    const params = { projectId };
    const { status, body: phone } = await api.call(addPhoneNumber, { params, body: { connector: 'sandbox' } });
    expect([status, phone.phone_number, phone.max_daily_messages]).toEqual([
      201,
      expect.stringMatching(/^999\d{9}$/),
      null,
    ]);
    await expect.poll(async () => (await phones())[0]?.status).toBe('connected');
    const refused = await refuseAdd({ connector: 'whatsapp' });
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'phone_number']);
  });

  test('a daily maximum can be set for a sandbox and taken away; a real phone keeps one', async () => {
    const { api, add, refuseAdd } = await owner();
    const sandbox = await add('12345678901', { connector: 'sandbox', max_daily_messages: 50 });
    const real = await add('12345678902');
    expect([sandbox.max_daily_messages, real.max_daily_messages]).toEqual([50, 1000]);
    const change = (id: number) => ({ params: { phoneId: id }, body: { max_daily_messages: null } });
    expect((await api.call(updatePhoneNumber, change(sandbox.id))).body.max_daily_messages).toBeNull();
    const refused = await api.refuse(updatePhoneNumber, change(real.id));
    expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'max_daily_messages']);
    const refusedNew = await refuseAdd({ phone_number: '12345678903', max_daily_messages: null });
    expect(refusedNew.body.errors?.[0]?.path).toBe('max_daily_messages');
  });

  test('a number that keeps no pace takes no protection, and is told so', async () => {
    const { customer, api, projectId, refuseAdd } = await owner();
    const phone = await connectSandboxPhone(customer, projectId);
    const change = (protection: object) => ({ params: { phoneId: phone.id }, body: { protection } });
    for (const protection of [{ is_protected: true }, { quiet_hours: true }, { older_account: true }]) {
      const refused = await api.refuse(updatePhoneNumber, change(protection));
      expect([refused.status, refused.body.errors?.[0]?.path]).toEqual([422, 'protection']);
    }
    expect((await api.call(updatePhoneNumber, change({ is_protected: false }))).status).toBe(200);
    const added = await refuseAdd({ connector: 'sandbox', protection: { is_protected: true } });
    expect([added.status, added.body.errors?.[0]?.path]).toEqual([422, 'protection']);
  });

  test('a phone and its project say what keeps queued messages waiting, and a sandbox has a health', async () => {
    const { customer, api, projectId, project, phones, add } = await owner();
    expect(await project()).toMatchObject({ waiting_for: 'no_connected_phone', waiting_until: null });
    await add('12345678902');
    expect((await phones())[0]).toMatchObject({ waiting_for: 'no_connected_phone', health: null });
    const { id } = await connectSandboxPhone(customer, projectId, { max_daily_messages: 1 });
    const sandbox = async () => (await phones()).find((phone) => phone.id === id);
    expect(await sandbox()).toMatchObject({ waiting_for: null, health: { state: 'healthy', simulated: true } });
    expect(await project()).toMatchObject({ waiting_for: null });
    await api.call(updatePhoneNumber, { params: { phoneId: id }, body: { is_active: false } });
    expect(await sandbox()).toMatchObject({ waiting_for: 'phones_inactive', waiting_until: null });
    expect(await project()).toMatchObject({ waiting_for: 'phones_inactive' });
    await api.call(updatePhoneNumber, { params: { phoneId: id }, body: { is_active: true } });
    const byKey = createApiClient(app.url, { 'x-auth-key': (await project()).auth_key ?? '' });
    await byKey.call(sendMessage, { headers: {}, body: { to: '34613300106', message: 'Hi' } });
    const until = (await sandbox())?.waiting_until;
    expect(await project()).toMatchObject({ waiting_for: 'daily_limit', waiting_until: until });
    expect(Date.parse(until ?? '')).toBeGreaterThan(Date.now());
  });

  test('takes a number once a project', async () => {
    const { add, refuseAdd } = await owner();
    await add('12345678901');
    expect((await refuseAdd({ phone_number: '+1 234 567 8901' })).body.code).toBe('phone_exists');
  });

  test.each([
    [{ phone_number: '' }, 'phone_number'],
    [{ phone_number: '1234567' }, 'phone_number'],
    [{ phone_number: '0123456789' }, 'phone_number'],
    [{ phone_number: '12345678', priority: 1.5 }, 'priority'],
    [{ phone_number: '12345678', max_daily_messages: -1 }, 'max_daily_messages'],
    [{ phone_number: '12345678', connector: 'pigeon' }, 'connector'],
    [{ phone_number: '12345678', connector: 'cloud' }, 'cloud'],
    [{}, 'phone_number'],
  ])('refuses %o', async (body, path) => {
    const { refuseAdd } = await owner();
    const reply = await refuseAdd(body);
    expect(reply.status).toBe(422);
    expect(reply.body.errors?.[0]?.path).toBe(path);
  });
});

test('an edit changes what it names, and never the number', async () => {
  const { api, add } = await owner();
  const phone = await add('12345678901', { name: 'Desk', priority: 3 });
  const { body } = await api.call(updatePhoneNumber, {
    params: { phoneId: phone.id },
    body: { max_daily_messages: 5, is_active: false, phone_number: '999' } as object,
  });
  expect(body).toEqual({ ...phone, max_daily_messages: 5, is_active: false });
});

test('the answer of GET may be sent back: a proxy keeps its password, and nobody is told of a change', async () => {
  const { api, add } = await owner();
  const { id } = await add('12345678901');
  const params = { phoneId: id };
  const sealed = async () =>
    (await app.ctx.pool.query('select proxy_sealed from phones where id = $1', [id])).rows[0].proxy_sealed;
  const changes = async () =>
    (await api.call(listSecurityEvents)).body.data.filter(({ type }) => type === 'proxy_changed').length;
  const sendBack = async () => {
    const { body } = await api.call(getPhoneNumber, { params });
    await api.call(updatePhoneNumber, { params, body: body as PhoneNumberChange });
  };
  await sendBack();
  expect(await changes()).toBe(0);
  await api.call(updatePhoneNumber, { params, body: { proxy: 'socks5://ada:hush@proxy.example.com:1080' } });
  const before = await sealed();
  await sendBack();
  expect([await sealed(), await changes()]).toEqual([before, 1]);
  await api.call(updatePhoneNumber, { params, body: { proxy: 'socks5://bo:hush@proxy.example.com:1080' } });
  await api.call(updatePhoneNumber, { params, body: { proxy: null } });
  expect([await sealed(), await changes()]).toEqual([null, 3]);
});

test('two edits at the same time keep what the other changed', async () => {
  const { api, add } = await owner();
  const { id } = await add('442071838770');
  const params = { phoneId: id };
  const unlock = await holdLock(app.ctx.pool, 'select 1 from phones where id = $1 for update', [id]);
  const switchedOff = api.call(updatePhoneNumber, { params, body: { is_active: false } });
  await untilSomebodyWaits(app.ctx.pool);
  const renamed = api.call(updatePhoneNumber, { params, body: { name: 'Support' } });
  await untilSomebodyWaits(app.ctx.pool, 2);
  await unlock();
  await Promise.all([switchedOff, renamed]);
  expect((await api.call(getPhoneNumber, { params })).body).toMatchObject({ is_active: false, name: 'Support' });
});

describe('a sandbox phone', () => {
  test('connects at once, and its project with it', async () => {
    const { customer, api, projectId, project, phones } = await owner();
    expect(await project()).toMatchObject({ status: 'created', is_connected: false, connected_at: null });
    const phone = await connectSandboxPhone(customer, projectId);
    expect(await phones()).toMatchObject([{ status: 'connected', is_connected: true }]);
    const connected = await project();
    expect(connected).toMatchObject({ status: 'connected', is_connected: true });
    expect(connected.connected_at).not.toBeNull();
    const again = await api.call(connectPhone, { params: { phoneId: phone.id } });
    expect(again).toMatchObject({ status: 200, body: { status: 'connected' } });
    expect((await api.refuse(requestPairingCode, { params: { phoneId: phone.id } })).body.code).toBe(
      'already_connected',
    );
  });

  test('is disconnected by its owner, and comes back when asked', async () => {
    const { customer, api, projectId, project } = await owner();
    const { id: phoneId } = await connectSandboxPhone(customer, projectId);
    const { body } = await api.call(disconnectPhone, { params: { phoneId } });
    expect(body).toMatchObject({ status: 'disconnected', is_connected: false, connected_at: null });
    expect(await project()).toMatchObject({ status: 'disconnected', is_connected: false });
    expect((await api.call(connectPhone, { params: { phoneId } })).body).toMatchObject({ status: 'connected' });
    expect(await project()).toMatchObject({ status: 'connected' });
  });

  test('goes with its project when that signs all out, and when it is deleted', async () => {
    const { customer, api, projectId, project, phones } = await owner();
    const one = await connectSandboxPhone(customer, projectId);
    await connectSandboxPhone(customer, projectId);
    const { body } = await api.call(disconnectProject, { params: { projectId } });
    expect(body.status).toBe('disconnected');
    expect((await phones()).map(({ status }) => status)).toEqual(['disconnected', 'disconnected']);
    await api.call(deletePhoneNumber, { params: { phoneId: one.id } });
    expect((await api.refuse(deletePhoneNumber, { params: { phoneId: one.id } })).status).toBe(404);
    expect(await phones()).toHaveLength(1);
    expect((await project()).status).toBe('disconnected');
  });
});

test('two connects at the same time join the same link', async () => {
  const { api, add } = await owner();
  const phone = await add('12345678901', { connector: 'sandbox' });
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => api.call(connectPhone, { params: { phoneId: phone.id } })),
  );
  expect(replies.map(({ body }) => body)).toEqual(replies.map(() => ({ status: 'connected', phone_id: phone.id })));
});

test("today's count stays whatever time zone its owner chooses, and ends with its day", async () => {
  const { customer, api, projectId, phones } = await owner();
  const { id } = await connectSandboxPhone(customer, projectId);
  // 13 hours ahead of the easternmost and 12 behind it: one of the two is always on another day.
  const [ahead, behind] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const body = { to: '14155550123', message: 'Hello' };
  await api.call(updateCurrentUser, { body: { timezone: behind } });
  const { body: project } = await api.call(getProject, { params: { projectId } });
  const sent = await fetch(app.url + sendMessage.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key ?? '' },
    body: JSON.stringify(body),
  });
  expect(sent.status).toBe(200);
  for (const timezone of [ahead, behind]) {
    await api.call(updateCurrentUser, { body: { timezone } });
    expect((await phones())[0]?.daily_message_count).toBe(1);
  }
  await app.ctx.db
    .updateTable('phones')
    .set({ count_day: '2026-01-01', count_ends_at: new Date(0) })
    .where('id', '=', id)
    .execute();
  expect((await phones())[0]?.daily_message_count).toBe(0);
});

test('a code that has expired is not offered again while nobody offers the next one', async () => {
  await using withoutWorker = await startTestApplication({ env: { ROLES: 'api' } });
  const customer = await signUpSubscriber(withoutWorker.url);
  const params = { projectId: (await makeProject(customer)).id };
  const body = { phone_number: '14155550100' };
  const { id: phoneId } = (await customer.api.call(addPhoneNumber, { params, body })).body;
  const left = `update phones set wanted = 'linking', link_qr = 'expired', link_expires_at = now() - interval '1 second'
                 where id = $1`;
  await withoutWorker.ctx.pool.query(left, [phoneId]);
  const answer = await customer.api.call(connectPhone, { params: { phoneId } });
  expect([answer.status, answer.body]).toEqual([202, { status: 'connecting', phone_id: phoneId }]);
});
