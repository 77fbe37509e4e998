import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { getMessage, sendMessage } from '#contracts/messages.ts';
import { addPhoneNumber, disconnectPhone, getPhoneNumber, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { StaleLeaseError } from '#server/connectors/messaging/port.ts';
import { inTransaction } from '#server/context.ts';
import { claimLeases, createCredentialStores } from '#server/modules/numbers/links/index.ts';
import { phoneNotifications } from '#server/modules/numbers/phones/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication, TestApplicationOptions } from '#tests/support/application.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { holdLock } from '#tests/support/hold-lock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';

const running: TestApplication[] = [];

afterEach(async () => {
  for (const app of running.splice(0).toReversed()) await app[Symbol.asyncDispose]();
});

async function start(options: TestApplicationOptions = {}): Promise<TestApplication> {
  const app = await startTestApplication({ secretKey, ...options });
  running.push(app);
  return app;
}

const secretKey = randomBytes(32);
const text = { to: '14155550123', message: 'Hello' };

async function sandboxProject(app: TestApplication, settings: Parameters<typeof connectSandboxPhone>[2] = {}) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id, settings);
  const post = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${url}/api/send-message`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key, ...headers },
      body: JSON.stringify(text),
    });
    return { status: response.status, body: (await response.json()) as { id: number; status: string; code?: string } };
  };
  return { customer, project, phone, post };
}

/** As when the process that held them was killed a while ago. */
const expireLeases = (app: TestApplication) =>
  app.ctx.db
    .updateTable('phone_leases')
    .set({ owner: 'dead', token: 0, expires_at: new Date(0) })
    .execute();

describe('two processes on one database', () => {
  test('share one daily maximum exactly', async () => {
    const database = await createTestDatabase();
    const [one, other] = [await start(database), await start(database)];
    const { post } = await sandboxProject(one, { max_daily_messages: 20 });
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) => post(index % 2 === 0 ? one.url : other.url)),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(20);
    expect(replies.filter(({ body }) => body.code === 'daily_limit_reached')).toHaveLength(30);
  });

  test('answer for each other: accepted by one, sent by the other', async () => {
    const database = await createTestDatabase();
    const worker = await start({ ...database, env: { ROLES: 'worker' } });
    const api = await start({ ...database, env: { ROLES: 'api' } });
    const { post } = await sandboxProject(api);
    expect((await post(api.url)).status).toBe(200);
    expect((await fetch(`${worker.url}/api/send-message`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${worker.url}/readyz`)).status).toBe(200);
  });
});

test('without a worker a message is accepted and waits; the next worker sends it', async () => {
  const database = await createTestDatabase();
  const api = await start({ ...database, env: { ROLES: 'api' } });
  const first = await start({ ...database, env: { ROLES: 'worker' } });
  const { customer, post } = await sandboxProject(api);
  await first.stop();
  const { status, body } = await post(api.url, { prefer: 'respond-async' });
  expect([status, body.status]).toEqual([202, 'pending']);
  await start({ ...database, env: { ROLES: 'worker' } });
  await expect
    .poll(async () => (await customer.api.call(getMessage, { params: { messageId: body.id } })).body.status)
    .toBe('read');
});

test('a message that was being sent when its worker died is sent again under the same network id', async () => {
  const app = await start();
  const { customer, phone, post } = await sandboxProject(app);
  const { body } = await post(app.url);
  const interrupted = {
    status: 'sending' as const,
    lease_token: 0,
    network_id: 'CHOSEN',
    sent_at: null,
    delivered_at: null,
    read_at: null,
  };
  await app.ctx.db.updateTable('messages').set(interrupted).where('id', '=', body.id).execute();
  await expireLeases(app);
  const readStatus = async () => (await customer.api.call(getMessage, { params: { messageId: body.id } })).body.status;
  expect(await readStatus()).toBe('pending');
  // The worker finds at its next renewal that the lease is gone, and takes the phone anew.
  await expect.poll(readStatus).toBe('read');
  const row = await app.ctx.db
    .selectFrom('messages')
    .select('network_id')
    .where('account_id', '=', customer.id)
    .where('phone_id', '=', phone.id)
    .executeTakeFirstOrThrow();
  expect(row.network_id).toBe('CHOSEN');
});

test('a message that an earlier holder claimed after its phone was taken over is sent all the same', async () => {
  const app = await start();
  const { customer, post } = await sandboxProject(app);
  const { body } = await post(app.url);
  const status = async () => (await customer.api.call(getMessage, { params: { messageId: body.id } })).body.status;
  await expect.poll(status).toBe('read');
  const lease = await app.ctx.db.selectFrom('phone_leases').select('token').executeTakeFirstOrThrow();
  const claimedLate = {
    status: 'sending' as const,
    lease_token: lease.token - 1,
    network_id: 'LATE',
    sent_at: null,
    delivered_at: null,
    read_at: null,
  };
  await app.ctx.db.updateTable('messages').set(claimedLate).where('id', '=', body.id).execute();
  await expect.poll(status).toBe('read');
  expect((await app.ctx.db.selectFrom('phone_leases').select('token').executeTakeFirstOrThrow()).token).toBe(
    lease.token,
  );
});

test('a sandbox message that was sent when its worker died is read all the same, but not where nobody gets it', async () => {
  const database = await createTestDatabase();
  const api = await start({ ...database, env: { ROLES: 'api' } });
  const first = await start({ ...database, env: { ROLES: 'worker' } });
  const { customer, post } = await sandboxProject(api);
  const { body } = await post(api.url);
  const { body: delivered } = await post(api.url);
  const { body: unreachable } = await post(api.url);
  const status = async (messageId: number) =>
    (await customer.api.call(getMessage, { params: { messageId } })).body.status;
  for (const { id } of [body, delivered, unreachable]) await expect.poll(() => status(id)).toBe('read');
  await first.stop();
  const isSent = { status: 'sent', delivered_at: null, read_at: null } as const;
  const put = (id: number, columns: { status: 'sent' | 'delivered'; recipient?: string }) =>
    api.ctx.db
      .updateTable('messages')
      .set({ ...isSent, ...columns })
      .where('id', '=', id)
      .execute();
  await put(body.id, { status: 'sent' });
  await put(delivered.id, { status: 'delivered' });
  await put(unreachable.id, { status: 'sent', recipient: '14155550001' });
  await start({ ...database, env: { ROLES: 'worker' } });
  await expect.poll(() => status(body.id)).toBe('read');
  await expect.poll(() => status(delivered.id)).toBe('read');
  expect(await status(unreachable.id)).toBe('sent');
});

test('a phone whose session cannot be opened is shown as such and tried again; others are served meanwhile', async () => {
  const app = await start();
  const refused = await sandboxProject(app);
  const other = await sandboxProject(app);
  const { body } = await refused.post(app.url);
  await other.post(app.url);
  await asOwner(
    app,
    `alter table messages add constraint refused check (phone_id <> ${refused.phone.id} or status <> 'pending') not valid`,
  );
  const interrupted = { status: 'sending' as const, lease_token: 0, sent_at: null, delivered_at: null, read_at: null };
  await app.ctx.db.updateTable('messages').set(interrupted).where('id', '=', body.id).execute();
  await expireLeases(app);

  const shown = async () =>
    (await refused.customer.api.call(listPhoneNumbers, { params: { projectId: refused.project.id } })).body.data[0];
  await expect.poll(shown).toMatchObject({
    status: 'disconnected',
    error: expect.stringContaining('could not be opened'),
  });
  await expect.poll(async () => (await other.post(app.url)).status).toBe(200);
  const errors = async () => {
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    return Number(/dovepost_task_errors_total\{task="phones.opening"\} (\d+)/.exec(metrics)?.[1]);
  };
  await expect.poll(errors).toBeGreaterThan(2);

  await asOwner(app, 'alter table messages drop constraint refused');
  await expect.poll(shown).toMatchObject({ status: 'connected', error: null });
  const sent = async () =>
    (await refused.customer.api.call(getMessage, { params: { messageId: body.id } })).body.status;
  await expect.poll(sent).toBe('read');
});

test('a phone stays connected while its worker is replaced', async () => {
  const database = await createTestDatabase();
  const api = await start({ ...database, env: { ROLES: 'api' } });
  const first = await start({ ...database, env: { ROLES: 'worker' } });
  const { customer, project, post } = await sandboxProject(api);
  await first.stop();
  const { body } = await customer.api.call(listPhoneNumbers, { params: { projectId: project.id } });
  expect(body.data).toMatchObject([{ status: 'connected' }]);
  await start({ ...database, env: { ROLES: 'worker' } });
  expect((await post(api.url)).status).toBe(200);
});

test('a phone that was taken away and given back without a word is connected again, though it came after the last count', async () => {
  const app = await start();
  const { pool } = app.ctx;
  await sandboxProject(app);
  const { phone } = await sandboxProject(app);
  const held = async () => /^dovepost_phones_held (\d+)/m.exec(await (await fetch(`${app.url}/metrics`)).text())?.[1];
  await expect.poll(held).toBe('2');
  const countedAgo = async () =>
    (await pool.query(`select now() - counted_at > interval '2 seconds' as is_so from phone_workers`)).rows;
  await expect.poll(countedAgo).toEqual([{ is_so: true }]);
  await pool.query('update phone_workers set phones = 1, counted_at = clock_timestamp()');
  // As an account is moved to another cell, which breaks off.
  await pool.query(
    `update phone_leases set owner = 'mover', token = nextval('lease_token_seq'), expires_at = 'infinity' where phone_id = $1`,
    [phone.id],
  );
  await expect.poll(held).toBe('1');
  // By then it has looked for the phone in vain.
  const renewedAt = async () => (await pool.query('select seen_at as at from phone_workers')).rows[0].at.getTime();
  const lostAt = await renewedAt();
  await expect.poll(renewedAt).toBeGreaterThan(lostAt + 5_000);
  await pool.query('delete from phone_leases where phone_id = $1', [phone.id]);
  await expect.poll(held, { timeout: 25_000 }).toBe('2');
});

test('a worker whose lease was taken over writes nothing more', async () => {
  const app = await start({ env: { ROLES: 'api' } });
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const { id: phoneId } = await app.ctx.db
    .insertInto('phones')
    .values({
      account_id: customer.id,
      project_id: projectId,
      number: '14155550100',
      connector: 'whatsapp',
      wanted: 'online',
      status_changed_at: new Date(),
      created_at: new Date(),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const [stale] = await claimLeases(app.ctx, { owner: 'one', limit: 10 });
  if (!stale) throw new Error('The phone was not leased');
  const store = createCredentialStores(app.ctx)(stale, app.ctx.connectors.whatsapp);
  await store.writeCredentials('first');
  await store.writeKeys([{ type: 'session', id: 'a', value: 'first' }]);
  await expireLeases(app);
  const [current] = await claimLeases(app.ctx, { owner: 'other', limit: 10 });
  expect(current?.token).toBeGreaterThan(stale.token);
  await expect(store.writeCredentials('stale')).rejects.toThrow(StaleLeaseError);
  await expect(store.writeKeys([{ type: 'session', id: 'a', value: 'stale' }])).rejects.toThrow(StaleLeaseError);
  await store.clear();
  expect(await store.readCredentials()).toBe('first');
  expect(await store.readKeys('session', ['a', 'b'])).toEqual(new Map([['a', 'first']]));
  const { sealed } = await app.ctx.db
    .selectFrom('connector_keys')
    .select('sealed')
    .where('account_id', '=', customer.id)
    .where('phone_id', '=', phoneId)
    .executeTakeFirstOrThrow();
  expect(sealed.toString('latin1')).not.toContain('first');
});

test('a caller that waits is answered with pending when the server drains', async () => {
  const app = await start({ env: { ROLES: 'api' } });
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  await app.ctx.db
    .insertInto('phones')
    .values({
      account_id: customer.id,
      project_id: project.id,
      number: '14155550100',
      connector: 'sandbox',
      status: 'connected',
      status_changed_at: new Date(),
      created_at: new Date(),
    })
    .execute();
  const waiting = fetch(app.url + sendMessage.path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
    body: JSON.stringify(text),
  });
  await expect
    .poll(() => app.ctx.db.selectFrom('messages').select('id').where('account_id', '=', customer.id).execute())
    .toHaveLength(1);
  const stopping = app.stop();
  const response = await waiting;
  expect(response.status).toBe(202);
  await stopping;
  running.pop();
});

test('a phone that is asked for while it signs out is linked again, although no count has it as free', async () => {
  const app = await start();
  const { customer, project, phone } = await sandboxProject(app);
  // Newer than any other for an hour.
  await app.ctx.pool.query(`update phone_workers set phones = 0, counted_at = clock_timestamp() + interval '1 hour'`);
  await inTransaction(app.ctx, async (tx) => {
    await tx.db
      .updateTable('phones')
      .set({ wanted: 'linking', sign_out_requested: true, status: 'disconnected' })
      .where('id', '=', phone.id)
      .execute();
    await notify(tx.db, phoneNotifications([phone.id]));
  });
  const statuses = async () => {
    const { body } = await customer.api.call(listPhoneNumbers, { params: { projectId: project.id } });
    return body.data.map(({ status }) => status);
  };
  await expect.poll(statuses).toEqual(['connected']);
});

test('a phone that is asked for while a worker finds that it is signed out already is linked', async () => {
  const app = await start();
  const { customer, project, phone } = await sandboxProject(app);
  await customer.api.call(disconnectPhone, { params: { phoneId: phone.id } });
  const isHeld = async ({ id }: { id: number }) =>
    (await app.ctx.pool.query('select 1 from phone_leases where phone_id = $1', [id])).rows.length === 1;
  await expect.poll(() => isHeld(phone)).toBe(false);
  // Newer than any other for an hour.
  await app.ctx.pool.query(`update phone_workers set phones = 0, counted_at = clock_timestamp() + interval '1 hour'`);
  const unlock = await holdLock(app.ctx.pool, 'lock table connector_credentials in access exclusive mode');
  await customer.api.call(disconnectPhone, { params: { phoneId: phone.id } });
  await untilSomebodyWaits(app.ctx.pool);
  await inTransaction(app.ctx, async (tx) => {
    await tx.db.updateTable('phones').set({ wanted: 'linking' }).where('id', '=', phone.id).execute();
    await notify(tx.db, phoneNotifications([phone.id]));
  });
  // Its turn comes after that of the first.
  const { body: second } = await customer.api.call(addPhoneNumber, {
    params: { projectId: project.id },
    body: { connector: 'sandbox' },
  });
  await expect.poll(() => isHeld(second)).toBe(true);
  await unlock();
  const status = async () => (await customer.api.call(getPhoneNumber, { params: { phoneId: phone.id } })).body.status;
  await expect.poll(status).toBe('connected');
});
