import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getMessage, listMessages, receiveSandboxMessage } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { deletePhoneNumber, disconnectPhone, listPhoneNumbers, updatePhoneNumber } from '#contracts/phone-numbers.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Sender = {
  customer: Customer;
  projectId: number;
  post(
    body: unknown,
    headers?: Record<string, string>,
  ): Promise<{ status: number; isReplay: boolean; body: Message & { code: string; message_id?: number } }>;
};

async function sender(): Promise<Sender> {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  return {
    customer,
    projectId: project.id,
    async post(body, headers = {}) {
      const response = await fetch(`${app.url}/api/send-message`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-auth-key': project.auth_key, ...headers },
        body: JSON.stringify(body),
      });
      return {
        status: response.status,
        isReplay: response.headers.get('idempotent-replayed') === 'true',
        body: (await response.json()) as Message & { code: string; message_id?: number },
      };
    },
  };
}

async function connectedSender(settings: Parameters<typeof connectSandboxPhone>[2] = {}) {
  const made = await sender();
  const phone = await connectSandboxPhone(made.customer, made.projectId, settings);
  return { ...made, phone };
}

const readMessage = async ({ customer }: Sender, messageId: number) =>
  (await customer.api.call(getMessage, { params: { messageId } })).body;

describe('sending', () => {
  test('waits for nobody who stores something that refers to its phone', async () => {
    const { post, phone } = await connectedSender();
    await app.ctx.db.transaction().execute(async (tx) => {
      // The lock that an insert with a foreign key holds until it commits: a phone's keys, or records of its sends.
      await sql`select from phones where id = ${phone.id} for key share`.execute(tx);
      const answer = await post({ to: '14155551002', message: 'Hello' }, { prefer: 'respond-async' });
      expect(answer.status).toBe(202);
    });
  });

  test('waits for the network and answers the record, which then goes on to read', async () => {
    const from = await connectedSender();
    const { status, body } = await from.post({ to: '+1 (415) 555-0123', message: 'Hello' });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      to: '14155550123',
      from: from.phone.phone_number,
      message: 'Hello',
      direction: 'outgoing',
      error: null,
      phone_id: from.phone.id,
    });
    expect(['sent', 'delivered', 'read']).toContain(body.status);
    await expect.poll(async () => (await readMessage(from, body.id)).status).toBe('read');
    const record = await readMessage(from, body.id);
    expect([record.sent_at, record.delivered_at, record.read_at].every((at) => at !== null)).toBe(true);
  });

  test('a caller that does not wait is answered with pending', async () => {
    const from = await connectedSender();
    const { status, body } = await from.post({ to: '14155550123', message: 'Hi' }, { prefer: 'respond-async' });
    expect([status, body.status]).toEqual([202, 'pending']);
    await expect.poll(async () => (await readMessage(from, body.id)).status).toBe('read');
  });

  test('a number without WhatsApp is refused and recorded', async () => {
    const from = await connectedSender();
    const { status, body } = await from.post({ to: '14155550000', message: 'Hi' });
    expect([status, body.code, body.message]).toEqual([422, 'not_on_whatsapp', 'This number is not on WhatsApp']);
    const { body: records } = await from.customer.api.call(listMessages, {
      params: { projectId: from.projectId },
      query: {},
    });
    expect(records.data).toMatchObject([
      { status: 'failed', error: 'This number is not on WhatsApp', error_code: 'not_on_whatsapp' },
    ]);
    expect(body.message_id).toBe(records.data[0]?.id);
  });

  test('a message that is never delivered stays sent', async () => {
    const from = await connectedSender();
    const { body: undelivered } = await from.post({ to: '14155550001', message: 'Hi' });
    const { body: delivered } = await from.post({ to: '14155550102', message: 'Hi' });
    await expect.poll(async () => (await readMessage(from, delivered.id)).status).toBe('read');
    expect((await readMessage(from, undelivered.id)).status).toBe('sent');
  });

  test.each([
    ['letters', { to: '1415555abcd', message: 'Hi' }, 'to', 'Invalid number'],
    ['too short', { to: '1234567', message: 'Hi' }, 'to', 'Invalid number'],
    ['too long', { to: '1234567890123456', message: 'Hi' }, 'to', 'Invalid number'],
    ['nothing but zeros', { to: '0000000000', message: 'Hi' }, 'to', 'Invalid number'],
    ['no number', { message: 'Hi' }, 'to', undefined],
    ['an empty message', { to: '14155550123', message: '' }, 'message', undefined],
    ['4097 characters', { to: '14155550123', message: 'x'.repeat(4097) }, 'message', undefined],
    ['a number for a message', { to: '14155550123', message: 7 }, 'message', undefined],
  ])('refuses %s', async (_name, body, path, message) => {
    const from = await connectedSender();
    const reply = await from.post(body);
    expect(reply.status).toBe(422);
    expect(reply.body).toMatchObject({ code: 'invalid_input', errors: [{ path, ...(message && { message }) }] });
  });

  test('4096 characters, and any script, arrive as they are', async () => {
    const from = await connectedSender();
    const message = '☂️ مرحبا '.repeat(400).padEnd(4096, 'é');
    const { status, body } = await from.post({ to: '14155550123', message: message.slice(0, 4096) });
    expect([status, body.message]).toEqual([200, message.slice(0, 4096)]);
  });

  test('no connected phone', async () => {
    const from = await sender();
    expect(await from.post({ to: '14155550123', message: 'Hi' })).toMatchObject({
      status: 409,
      body: { code: 'no_connected_phone' },
    });
    const phone = await connectSandboxPhone(from.customer, from.projectId);
    await from.customer.api.call(disconnectPhone, { params: { phoneId: phone.id } });
    expect((await from.post({ to: '14155550123', message: 'Hi' })).body.code).toBe('no_connected_phone');
  });
});

describe('the daily maximum', () => {
  test('holds under any concurrency, and a full one is a 429 at once', async () => {
    const from = await connectedSender({ max_daily_messages: 25 });
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, index) => from.post({ to: `1415555${1000 + index}`, message: `${index}` })),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(25);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ status, body }) => `${status} ${body.code}`))).toEqual(
      new Set(['429 daily_limit_reached']),
    );
    const { body } = await from.customer.api.call(listPhoneNumbers, { params: { projectId: from.projectId } });
    expect(body.data).toMatchObject([{ daily_message_count: 25, message_count: 25 }]);
  });

  test('is shared out among equals by turns, and a raise opens it again', async () => {
    const from = await connectedSender();
    const second = await connectSandboxPhone(from.customer, from.projectId, { max_daily_messages: 3 });
    const send = () => from.post({ to: '14155550123', message: 'Hi' });
    const used: (number | null)[] = [];
    for (let count = 0; count < 8; count += 1) used.push((await send()).body.phone_id);
    const first = from.phone.id;
    expect(used).toEqual([first, second.id, first, second.id, first, second.id, first, first]);
    await from.customer.api.call(updatePhoneNumber, {
      params: { phoneId: second.id },
      body: { max_daily_messages: 10 },
    });
    expect((await send()).body.phone_id).toBe(second.id);
  });
});

describe('an Idempotency-Key', () => {
  const text = { to: '14155550123', message: 'Once' };

  test('sends once, however often and however parallel it comes', async () => {
    const from = await connectedSender();
    const key = { 'idempotency-key': 'order-1' };
    const replies = await Promise.all(Array.from({ length: 50 }, () => from.post(text, key)));
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    expect(replies.every(({ status }) => status === 200 || status === 202)).toBe(true);
    expect(replies.filter(({ isReplay }) => !isReplay)).toHaveLength(1);
    const { body } = await from.customer.api.call(listMessages, { params: { projectId: from.projectId }, query: {} });
    expect(body.total).toBe(1);
    await expect.poll(async () => (await from.post(text, key)).body.status).toBe('read');
  });

  test('with another body is a conflict', async () => {
    const from = await connectedSender();
    await from.post(text, { 'idempotency-key': 'k' });
    const reply = await from.post({ ...text, message: 'Twice' }, { 'idempotency-key': 'k' });
    expect([reply.status, reply.body.code]).toEqual([409, 'idempotency_conflict']);
  });

  test('of a refused request may be used again', async () => {
    const from = await sender();
    const key = { 'idempotency-key': 'again' };
    expect((await from.post(text, key)).status).toBe(409);
    await connectSandboxPhone(from.customer, from.projectId);
    expect((await from.post({ ...text, to: '14155550000' }, key)).status).toBe(422);
    expect((await from.post(text, key)).status).toBe(200);
  });

  test('belongs to its project', async () => {
    const [one, other] = [await connectedSender(), await connectedSender()];
    const key = { 'idempotency-key': 'same' };
    expect((await one.post(text, key)).status).toBe(200);
    expect((await other.post({ ...text, message: 'Other' }, key)).status).toBe(200);
  });
});

describe('a message from outside', () => {
  test('becomes a record, newest first', async () => {
    const to = await connectedSender();
    await to.post({ to: '14155550123', message: 'Hello' });
    const { body: incoming } = await to.customer.api.call(receiveSandboxMessage, {
      params: { phoneId: to.phone.id },
      body: { from: '+1 415 555 0123', message: 'Hi there' },
    });
    expect(incoming).toMatchObject({ direction: 'incoming', from: '14155550123', to: to.phone.phone_number });
    const list = (query: object) =>
      to.customer.api.call(listMessages, { params: { projectId: to.projectId }, query }).then(({ body }) => body);
    expect((await list({})).data.map(({ message }) => message)).toEqual(['Hi there', 'Hello']);
    expect((await list({ direction: 'incoming' })).total).toBe(1);
    expect((await list({ search: '555 0123' })).total).toBe(2);
    expect((await list({ search: '999' })).total).toBe(0);
    expect((await list({ search: 'Hello' })).total).toBe(0);
    expect(await list({ page: 2, pageSize: 1 })).toMatchObject({
      total: 2,
      page: 2,
      pageSize: 1,
      data: [{ message: 'Hello' }],
    });
  });
});

describe('a phone that goes while messages wait', () => {
  test('fails them with the reason', async () => {
    const from = await connectedSender();
    const { body: message } = await from.post({ to: '14155550001', message: 'Hi' });
    await app.ctx.db
      .updateTable('messages')
      .set({ status: 'pending', network_id: null, sent_at: null, delivered_at: null, read_at: null })
      .where('id', '=', message.id)
      .execute();
    await from.customer.api.call(deletePhoneNumber, { params: { phoneId: from.phone.id } });
    expect(await readMessage(from, message.id)).toMatchObject({
      status: 'failed',
      error: 'Its phone number was deleted before it was sent',
      error_code: 'phone_deleted',
    });
  });

  test.each([
    ['was being sent', { status: 'sending' }],
    ['waits for a retry', { status: 'pending' }],
  ] as const)('says that a message that %s may have arrived, and keeps its key', async (_name, state) => {
    const from = await connectedSender();
    const headers = { 'idempotency-key': 'once' };
    const { body: message } = await from.post({ to: '14155550001', message: 'Hi' }, headers);
    await app.ctx.db
      .updateTable('messages')
      .set({ ...state, sent_at: null, delivered_at: null, read_at: null })
      .where('id', '=', message.id)
      .execute();
    await from.customer.api.call(deletePhoneNumber, { params: { phoneId: from.phone.id } });
    expect(await readMessage(from, message.id)).toMatchObject({ status: 'failed', error_code: 'delivery_unknown' });
    const replay = await from.post({ to: '14155550001', message: 'Hi' }, headers);
    expect([replay.status, replay.body.code]).toEqual([502, 'delivery_unknown']);
  });

  test.each([
    ['delivery_unknown', 502],
    ['not_on_whatsapp', 422],
    ['look_ups_paused', 502],
  ] as const)(
    'its key tells a failure as the first call did, and is kept only where it may have arrived: %s',
    async (code, status) => {
      const from = await connectedSender();
      const headers = { 'idempotency-key': 'again' };
      const { body: message } = await from.post({ to: '14155550001', message: 'Hi' }, headers);
      await app.ctx.db
        .updateTable('messages')
        .set({ status: 'failed', error: 'It broke', error_code: code })
        .where('id', '=', message.id)
        .execute();
      const replay = await from.post({ to: '14155550001', message: 'Hi' }, headers);
      expect([replay.status, replay.body.code, replay.body.message]).toEqual([status, code, 'It broke']);
      const isSentAnew = code !== 'delivery_unknown';
      const next = await from.post({ to: '14155550123', message: 'Hi' }, headers);
      // The key of a message that may have arrived is kept: with another recipient it is a conflict.
      expect(next.status).toBe(isSentAnew ? 200 : 409);
      const { body: same } = await from.post({ to: '14155550001', message: 'Hi' }, headers);
      expect(same.code).toBe(isSentAnew ? 'idempotency_conflict' : 'delivery_unknown');
    },
  );
});
