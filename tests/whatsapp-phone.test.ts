import { afterAll, beforeAll, expect, test } from 'vitest';
import { getMessage, listMessages } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import {
  addPhoneNumber,
  connectPhone,
  deletePhoneNumber,
  disconnectPhone,
  listPhoneNumbers,
  phoneStatusWords,
  requestPairingCode,
} from '#contracts/phone-numbers.ts';
import type { LinkState, PhoneNumber } from '#contracts/phone-numbers.ts';
import { connectProject, getProject } from '#contracts/projects.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { untilSomebodyWaits } from './support/until-somebody-waits.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

let whatsApp: WhatsAppStandIn;
let app: TestApplication;

beforeAll(async () => {
  whatsApp = await WhatsAppStandIn.listen();
  app = await startTestApplication({ env: { WHATSAPP_SOCKET_URL: whatsApp.url } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await whatsApp.close();
});

let lastNumber = 5_511_900_001_000;
const nextNumber = () => String((lastNumber += 1));

function codeOf(link: LinkState): string {
  if (!('qr_payload' in link)) throw new Error(`No code was offered: ${JSON.stringify(link)}`);
  return link.qr_payload;
}

/** A project, and whatever a test needs to know of it. */
async function owner(webhookUrl: string | null = null) {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer, webhookUrl);
  const projectId = project.id;
  const phones = async () => (await api.call(listPhoneNumbers, { params: { projectId } })).body.data;
  return {
    api,
    projectId,
    phones,
    project: async () => (await api.call(getProject, { params: { projectId } })).body,
    becomes: async (status: PhoneNumber['status']) => {
      await expect.poll(async () => (await phones())[0]?.status).toBe(status);
      return (await phones())[0];
    },
    add: async (phone_number: string) =>
      (await api.call(addPhoneNumber, { params: { projectId }, body: { phone_number } })).body,
    connect: async (phoneId: number) => (await api.call(connectPhone, { params: { phoneId } })).body,
    records: async () => (await api.call(listMessages, { params: { projectId }, query: {} })).body.data,
    async post(to: string, message = 'Hello') {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key },
        body: JSON.stringify({ to, message }),
      });
      return { status: response.status, body: (await response.json()) as Message & { code?: string } };
    },
  };
}

async function linkedOwner(webhookUrl: string | null = null) {
  const made = await owner(webhookUrl);
  const number = nextNumber();
  const phone = await made.add(number);
  await whatsApp.scan(codeOf(await made.connect(phone.id)), number);
  await made.becomes('connected');
  return { ...made, number, phone };
}

test('linking: the code is an image of its payload, asked again it is the same, and a scan connects', async () => {
  const { add, connect, becomes, project } = await owner();
  const number = nextNumber();
  const phone = await add(number);
  const link = await connect(phone.id);
  expect(link).toMatchObject({ qr_code: expect.stringMatching(/^data:image\/png;base64,/) as string });
  expect(codeOf(await connect(phone.id))).toBe(codeOf(link));
  await whatsApp.scan(codeOf(link), number);
  expect(await becomes('connected')).toMatchObject({ is_connected: true, error: null });
  expect(await project()).toMatchObject({ status: 'connected', is_connected: true });
  expect(await connect(phone.id)).toEqual({ status: 'connected', phone_id: phone.id });
});

test("the project's Connect makes the phone from the number that scanned", async () => {
  const { api, projectId, phones, becomes } = await owner();
  const number = nextNumber();
  const [{ body: link }, { body: again }] = await Promise.all([
    api.call(connectProject, { params: { projectId } }),
    api.call(connectProject, { params: { projectId } }),
  ]);
  expect(codeOf(link)).toBe(codeOf(again));
  expect(await phones()).toEqual([]);
  await whatsApp.scan(codeOf(link), number);
  expect(await becomes('connected')).toMatchObject({ phone_number: number });
  expect(await phones()).toHaveLength(1);
});

test('a pairing code links as a scan does', async () => {
  const { api, add, becomes } = await owner();
  const number = nextNumber();
  const phone = await add(number);
  const { body } = await api.call(requestPairingCode, { params: { phoneId: phone.id } });
  expect(body.pairing_code).toMatch(/^[A-Z0-9]{8}$/);
  await whatsApp.enterCode(number, body.pairing_code);
  await becomes('connected');
});

test('another account that scans is signed out, and the phone says why', async () => {
  const { add, connect, becomes } = await owner();
  const phone = await add(nextNumber());
  const other = nextNumber();
  await whatsApp.scan(codeOf(await connect(phone.id)), other);
  const failed = await becomes('auth_failed');
  expect(failed?.error).toContain(other.slice(-4));
  await expect.poll(() => whatsApp.isConnected(other)).toBe(false);
  // Asked again, it starts anew with another code.
  expect(codeOf(await connect(phone.id))).not.toBe('');
});

test('a message goes out, is acknowledged, delivered and read', async () => {
  const { post, number, api } = await linkedOwner();
  const to = nextNumber();
  whatsApp.contact(to, { delivers: true, reads: true });
  const { status, body } = await post(`+${to}`, 'Olá ✓');
  expect([status, body.from, body.to]).toEqual([200, number, to]);
  expect(whatsApp.contact(to).texts).toMatchObject([{ text: 'Olá ✓', from: number }]);
  await expect
    .poll(async () => (await api.call(getMessage, { params: { messageId: body.id } })).body.status)
    .toBe('read');
});

test('a number without WhatsApp, and a refusal of the network', async () => {
  const { post } = await linkedOwner();
  const [absent, refused] = [nextNumber(), nextNumber()];
  whatsApp.contact(absent, { onWhatsApp: false });
  expect(await post(absent)).toMatchObject({ status: 422, body: { code: 'not_on_whatsapp' } });
  whatsApp.answerMessages({ to: refused, answer: 400 });
  expect(await post(refused)).toMatchObject({ status: 502 });
});

test('a message that is to be tried again is not passed by the next while that is not stored yet', async () => {
  const { post } = await linkedOwner();
  const to = nextNumber();
  const often = { interval: 5 };
  const find = async (status: string) =>
    (await app.ctx.pool.query('select from messages where recipient = $1 and status = $2', [to, status])).rowCount;
  /** Each try to store it waits for the lock anew. */
  const triesToStore = new Set<string>();
  const countTries = async () => {
    const { rows } = await app.ctx.pool.query<{ since: string }>(
      `select xact_start::text as since from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`,
    );
    for (const { since } of rows) triesToStore.add(since);
    return triesToStore.size;
  };
  whatsApp.faults.latencyMs = 500;
  whatsApp.answerMessages({ to, times: 1, answer: 503 });
  const first = post(to, 'first');
  await expect.poll(() => find('sending'), often).toBe(1);
  const locker = await app.ctx.pool.connect();
  await locker.query('begin');
  await locker.query('set local idle_in_transaction_session_timeout = 0');
  await locker.query('select from messages where recipient = $1 for update', [to]);
  whatsApp.faults.latencyMs = 0;
  await untilSomebodyWaits(app.ctx.pool);
  const second = post(to, 'second');
  // By then the pause after the first is over.
  await expect.poll(countTries, often).toBeGreaterThan(2);
  await locker.query('rollback');
  locker.release();
  expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([200, 200]);
  expect(whatsApp.contact(to).texts.map(({ text }) => text)).toEqual(['first', 'second']);
});

test('under a time-lock who is new is refused at once with its end, and who wrote is answered', async () => {
  const { post, phones, records } = await linkedOwner();
  const number = (await phones())[0]?.phone_number ?? '';
  const writer = nextNumber();
  await whatsApp.incoming({ from: writer, to: number, text: 'Hello?' });
  await expect.poll(async () => (await records()).length).toBe(1);
  const until = new Date(Date.now() + 2 * 60 * 60_000);
  whatsApp.lockNewChats(number, until);
  const to = nextNumber();
  whatsApp.answerMessages({ to, answer: 463 });
  const refused = await post(to);
  expect(refused).toMatchObject({ status: 409, body: { code: 'phones_limited' } });
  expect(refused.body.message).toContain(new Date(until.getTime() + 10 * 60_000).toISOString().slice(0, 16));
  // Not tried at all: nothing is stored.
  expect(await post(nextNumber())).toMatchObject({ status: 409, body: { code: 'phones_limited' } });
  expect(await records()).toHaveLength(2);
  expect(await post(writer)).toMatchObject({ status: 200 });
});

test('refused without a lock, this contact has to write first; a second refusal stops who is new', async () => {
  const { post } = await linkedOwner();
  const [one, other, third] = [nextNumber(), nextNumber(), nextNumber()];
  // Each message is tried by the other address and with a new token, too.
  whatsApp.answerMessages({ to: one, times: 3, answer: 463 });
  whatsApp.answerMessages({ to: other, times: 3, answer: 463 });
  expect(await post(one)).toMatchObject({ status: 409, body: { code: 'must_write_first' } });
  // The contact would accept now, and the message is not tried.
  expect(await post(one)).toMatchObject({ status: 409, body: { code: 'must_write_first' } });
  expect(await post(third)).toMatchObject({ status: 200 });
  expect(await post(other)).toMatchObject({ status: 409, body: { code: 'must_write_first' } });
  expect(await post(nextNumber())).toMatchObject({ status: 409, body: { code: 'phones_limited' } });
});

test('capped by WhatsApp, new chats are refused until the end that it tells, and nobody has to write first for that', async () => {
  const { post, number } = await linkedOwner();
  const endsAt = new Date(Date.now() + 5 * 60 * 60_000);
  whatsApp.capNewChats(number, { status: 'CAPPED', used: 100, total: 100, endsAt });
  const stranger = nextNumber();
  whatsApp.answerMessages({ to: stranger, times: 1, answer: 475 });
  const refused = await post(stranger);
  expect(refused).toMatchObject({ status: 409, body: { code: 'phones_limited' } });
  expect(refused.body).toMatchObject({ message: expect.stringContaining(endsAt.toISOString().slice(0, 16)) });
});

test('a sandbox sends until a real phone has been connected, and never again', async () => {
  const { api, projectId, add, connect, post, project, phones } = await owner();
  const sandbox = await api.call(addPhoneNumber, {
    params: { projectId },
    body: { phone_number: nextNumber(), connector: 'sandbox' },
  });
  await connect(sandbox.body.id);
  const number = nextNumber();
  const phone = await add(number);
  expect(await post(nextNumber())).toMatchObject({ status: 200, body: { phone_id: sandbox.body.id } });
  expect((await project()).sending).toMatchObject({ can_send: true, connector: 'sandbox' });

  const link = (await api.call(connectProject, { params: { projectId } })).body;
  expect(link).toMatchObject({ phone_id: phone.id });
  await whatsApp.scan(codeOf(link), number);
  await expect.poll(async () => (await project()).sending).toMatchObject({ connector: 'whatsapp' });
  expect(await post(nextNumber())).toMatchObject({ status: 200, body: { phone_id: phone.id } });
  expect((await phones()).map(({ id, is_resting }) => [id, is_resting])).toEqual([
    [phone.id, false],
    [sandbox.body.id, true],
  ]);

  await api.call(disconnectPhone, { params: { phoneId: phone.id } });
  expect(await post(nextNumber())).toMatchObject({ status: 409, body: { code: 'sandbox_resting' } });
  expect((await project()).sending).toMatchObject({ can_send: false, reason: 'sandbox_resting' });
  await api.call(deletePhoneNumber, { params: { phoneId: phone.id } });
  expect(await post(nextNumber())).toMatchObject({ status: 409, body: { code: 'sandbox_resting' } });
});

test('a message from outside becomes a record, once, and fires the webhook', async () => {
  const receiver = await startWebhookReceiver();
  const { records, number } = await linkedOwner(receiver.url);
  const from = nextNumber();
  await whatsApp.incoming({ from, to: number, text: 'Is it open today?' });
  await expect.poll(records).toMatchObject([{ direction: 'incoming', from, to: number, message: 'Is it open today?' }]);
  const events = async () => receiver.received.map(({ body }) => (JSON.parse(body) as { type: string }).type);
  await expect.poll(events).toEqual(expect.arrayContaining(['phone.connected', 'message.received']));
  const bodies = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: PhoneNumber });
  expect(bodies.find(({ type }) => type === 'phone.connected')?.data.status_message).toBe(phoneStatusWords.connected);
  await receiver[Symbol.asyncDispose]();
});

test('a connection that breaks is taken up again without a new code', async () => {
  const { post, number, becomes } = await linkedOwner();
  whatsApp.kick(number, 'drop');
  await expect.poll(() => whatsApp.isConnected(number)).toBe(true);
  await becomes('connected');
  expect((await post(nextNumber())).status).toBe(200);
});

test('a device removed on the handset is auth_failed, a banned account banned', async () => {
  const removed = await linkedOwner();
  whatsApp.removeDevice(removed.number);
  expect((await removed.becomes('auth_failed'))?.error).not.toBeNull();
  expect((await removed.project()).status).toBe('auth_failed');
  const banned = await linkedOwner();
  whatsApp.ban(banned.number);
  await banned.becomes('banned');
});

test('disconnecting signs the device out, and deleting too', async () => {
  const { api, phone, number, phones, connect } = await linkedOwner();
  const { body } = await api.call(disconnectPhone, { params: { phoneId: phone.id } });
  expect(body.status).toBe('disconnected');
  await expect.poll(() => whatsApp.isConnected(number)).toBe(false);
  await whatsApp.scan(codeOf(await connect(phone.id)), number);
  await expect.poll(async () => (await phones())[0]?.status).toBe('connected');
  await api.call(deletePhoneNumber, { params: { phoneId: phone.id } });
  expect(whatsApp.isConnected(number)).toBe(false);
});
