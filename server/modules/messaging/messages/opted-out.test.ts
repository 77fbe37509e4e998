import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Campaign } from '#contracts/campaigns.ts';
import { updateCampaign } from '#contracts/campaigns.ts';
import { getMessage } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createProfile, deleteProfile } from '#contracts/profiles.ts';
import { addSuppression, removeSuppression } from '#contracts/suppressions.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { create, get, holdPhone, makeScene, recipients, until } from '#tests/support/campaign-scene.ts';
import type { Scene } from '#tests/support/campaign-scene.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const to = '14155550123';

async function sender() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const phone = await connectSandboxPhone(customer, project.id);
  return {
    customer,
    phone,
    authKey: project.auth_key,
    async post(body: object, headers: Record<string, string> = {}) {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key, ...headers },
        body: JSON.stringify({ to, message: 'Hello', ...body }),
      });
      return { status: response.status, body: (await response.json()) as Message & { code: string } };
    },
    optOut: (phone_ = to) => customer.api.call(addSuppression, { body: { phone: phone_ } }),
    read: async (messageId: number) => (await customer.api.call(getMessage, { params: { messageId } })).body,
    async counts() {
      const { body } = await customer.api.call(listPhoneNumbers, { params: { projectId: project.id } });
      return body.data.map(({ daily_message_count: day, message_count: all }) => [day, all]);
    },
  };
}

test('a direct send to who opted out is refused, counts nothing, and may be repeated with its key once that is lifted', async () => {
  const { post, optOut, counts, customer } = await sender();
  await optOut();
  const key = { 'idempotency-key': 'k' };
  expect(await post({}, key)).toMatchObject({ status: 409, body: { code: 'opted_out' } });
  expect(await counts()).toEqual([[0, 0]]);
  await customer.api.call(removeSuppression, { params: { phone: to }, query: { reason: 'Came back' } });
  expect((await post({}, key)).status).toBe(200);
  expect(await counts()).toEqual([[1, 1]]);
});

test('another form of the number is the same handset', async () => {
  const { post, optOut } = await sender();
  await optOut('5511987654321');
  expect(await post({ to: '551187654321' })).toMatchObject({ status: 409, body: { code: 'opted_out' } });
});

test('a message with override goes to an opted-out number, and the record keeps that', async () => {
  const { post, optOut, read } = await sender();
  await optOut();
  const { status, body } = await post({ override_opt_out: true });
  expect([status, body.override_opt_out]).toEqual([200, true]);
  expect(await read(body.id)).toMatchObject({ override_opt_out: true });
  const other = await post({ to: '14155550124', override_opt_out: true }, { 'idempotency-key': 'k' });
  const conflict = await post({ to: '14155550124' }, { 'idempotency-key': 'k' });
  expect([other.status, conflict.status, conflict.body.code]).toEqual([200, 409, 'idempotency_conflict']);
});

test('of many at once each has its own answer', async () => {
  const { post, optOut, counts } = await sender();
  await optOut();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => post(n % 2 === 0 ? {} : { to: `1415555020${n % 10}` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 409 : 200)));
  expect(await counts()).toEqual([[10, 10]]);
});

test('a message that waits for its phone is withdrawn with the opt-out, its count given back; an overriding message stays', async () => {
  const { post, optOut, read, counts, phone } = await sender();
  await holdPhone(app, phone.id);
  const waiting = await post({}, { prefer: 'respond-async' });
  const other = await post({ to: '14155550124' }, { prefer: 'respond-async' });
  const overriding = await post({ override_opt_out: true }, { prefer: 'respond-async' });
  expect(await counts()).toEqual([[3, 3]]);
  await optOut();
  expect(await read(waiting.body.id)).toMatchObject({
    status: 'failed',
    error: 'Opted out of messages',
    error_code: 'opted_out',
  });
  expect([(await read(other.body.id)).status, (await read(overriding.body.id)).status]).toEqual(['pending', 'pending']);
  expect(await counts()).toEqual([[2, 2]]);
});

test('a message that returns to the outbox after the opt-out is withdrawn by the next claim', async () => {
  const { post, optOut, read, phone } = await sender();
  await holdPhone(app, phone.id);
  const { body } = await post({}, { prefer: 'respond-async' });
  // As a worker leaves it that goes away while sending.
  await app.ctx.pool.query(`update messages set status = 'sending', network_id = 'N', lease_token = 0 where id = $1`, [
    body.id,
  ]);
  await optOut();
  expect((await read(body.id)).status).toBe('pending');
  await app.ctx.pool.query('delete from phone_leases where phone_id = $1', [phone.id]);
  await expect.poll(async () => (await read(body.id)).error_code).toBe('opted_out');
});

test('a message that waits for its time is refused, or withdrawn with the opt-out', async () => {
  const { post, optOut, read } = await sender();
  const send_at = new Date(Date.now() + 60 * 60 * 1000).toISOString();
  const scheduled = await post({ send_at });
  expect(scheduled).toMatchObject({ status: 202, body: { status: 'scheduled' } });
  await optOut();
  expect(await read(scheduled.body.id)).toMatchObject({ status: 'failed', error_code: 'opted_out' });
  expect(await post({ send_at })).toMatchObject({ status: 409, body: { code: 'opted_out' } });
  const overriding = await post({ send_at, override_opt_out: true });
  expect(overriding).toMatchObject({ status: 202, body: { override_opt_out: true } });
});

test('a line of a batch says so, and spoils no other', async () => {
  const { optOut, authKey, read } = await sender();
  await optOut();
  const response = await fetch(`${app.url}/api/messages/batch`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-auth-key': authKey, 'idempotency-key': 'batch' },
    body: JSON.stringify({
      messages: [
        { to, message: 'One' },
        { to: '14155550124', message: 'Two' },
        { to, message: 'Three', override_opt_out: true },
      ],
    }),
  });
  const { data } = (await response.json()) as { data: { id: number; error?: { code: string } }[] };
  expect(data.map(({ error }) => error?.code)).toEqual(['opted_out', undefined, undefined]);
  await expect.poll(async () => (await read(data[2]?.id ?? 0)).status).toBe('read');
});

const numbersOf = async (scene: Scene, campaign: Campaign) =>
  (await recipients(scene, campaign)).data.map(({ phone, status, error }) => [phone, status, error]);

test('a running campaign skips them from that moment, what lies in the outbox too', async () => {
  const scene = await makeScene(app, 4, { hasPhone: false });
  const phone = await connectSandboxPhone(scene.customer, scene.projectId, { max_daily_messages: 2 });
  await holdPhone(app, phone.id);
  const campaign = await create(scene);
  await until(scene, campaign, { status: 'running', waiting_for: 'daily_limit' });
  // Two lie in the outbox, two wait in the ledger: of each kind one opts out.
  await scene.customer.api.call(addSuppression, { body: { phone: '14155551002' } });
  await scene.customer.api.call(addSuppression, { body: { phone: '14155551005' } });
  await expect.poll(async () => (await get(scene, campaign)).skipped_count).toBeGreaterThan(0);
  await app.ctx.pool.query('update phones set max_daily_messages = 10 where id = $1', [phone.id]);
  await app.ctx.pool.query('delete from phone_leases where phone_id = $1', [phone.id]);
  await until(scene, campaign, { status: 'completed', sent_count: 2, skipped_count: 2, failed_count: 0 });
  expect(await numbersOf(scene, campaign)).toEqual([
    ['14155551002', 'skipped', 'Opted out of messages'],
    ['14155551003', 'sent', null],
    ['14155551004', 'sent', null],
    ['14155551005', 'skipped', 'Opted out of messages'],
  ]);
});

test('a new text reaches nobody who has opted out', async () => {
  const scene = await makeScene(app, 2, { hasPhone: false });
  const phone = await connectSandboxPhone(scene.customer, scene.projectId);
  await holdPhone(app, phone.id);
  const campaign = await create(scene);
  await until(scene, campaign, { status: 'running', waiting_count: 2 });
  await scene.customer.api.call(addSuppression, { body: { phone: '14155551002' } });
  const params = { campaignId: campaign.id };
  await scene.customer.api.call(updateCampaign, { params, body: { message: 'Again {name}' } });
  await app.ctx.pool.query('delete from phone_leases where phone_id = $1', [phone.id]);
  await until(scene, campaign, { status: 'completed', sent_count: 1, skipped_count: 1 });
});

test('a profile that is deleted takes along what waits for it', async () => {
  const { customer, post, read, phone, counts } = await sender();
  const { body: profile } = await customer.api.call(createProfile, { body: { phone: to } });
  await holdPhone(app, phone.id);
  const { body: waiting } = await post({}, { prefer: 'respond-async' });
  await customer.api.call(deleteProfile, { params: { profileId: profile.id } });
  expect(await read(waiting.id)).toMatchObject({
    status: 'failed',
    error: 'The profile was deleted',
    error_code: 'withdrawn',
  });
  expect(await counts()).toEqual([[0, 0]]);
});
