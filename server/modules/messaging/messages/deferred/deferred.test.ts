import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBatch } from '#contracts/message-batches.ts';
import type { BatchAnswer } from '#contracts/message-batches.ts';
import { cancelMessage, getMessage, sendMessage } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

const hourMs = 60 * 60_000;

let app: TestApplication;
let aheadMs = 0;
const now = () => new Date(Date.now() + aheadMs);
const inHours = (hours: number) => new Date(now().getTime() + hours * hourMs).toISOString();

beforeAll(async () => {
  app = await startTestApplication({ clock: { now } });
});

afterAll(() => app[Symbol.asyncDispose]());

type Sender = { customer: Customer; projectId: number; api: ApiClient };

async function sender(): Promise<Sender> {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer);
  const api = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  return { customer, projectId: project.id, api };
}

async function connectedSender() {
  const made = await sender();
  await connectSandboxPhone(made.customer, made.projectId);
  return made;
}

const read = async ({ api }: Sender, messageId: number) => (await api.call(getMessage, { params: { messageId } })).body;
const statusBecomes = (from: Sender, messageId: number, status: string) =>
  expect.poll(async () => (await read(from, messageId)).status).toBe(status);

const send = ({ api }: Sender, body: object, key?: string) =>
  api.call(sendMessage, {
    headers: { 'idempotency-key': key },
    body: { to: '14155550123', message: 'Later', ...body },
  });
const refuse = ({ api }: Sender, body: object, key?: string) =>
  api.refuse(sendMessage, {
    headers: { 'idempotency-key': key },
    body: { to: '14155550123', message: 'Later', ...body },
  });

/** Lines as a program may send them, whatever the contract says. */
async function postBatch({ api }: Sender, messages: readonly unknown[]): Promise<BatchAnswer[]> {
  const { status, body } = await api.call(sendBatch, { body: { messages: messages as [] } });
  expect(status).toBe(202);
  return body.data;
}

async function usedToday({ customer, projectId }: Sender): Promise<number | undefined> {
  const { body } = await customer.api.call(listPhoneNumbers, { params: { projectId } });
  return body.data[0]?.daily_message_count;
}

describe('a scheduled message', () => {
  test('waits without counting, and goes once its time has come, over a restart', async () => {
    const from = await connectedSender();
    const sendAt = inHours(20);
    const { status, body } = await send(from, { send_at: sendAt });
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'scheduled', send_at: sendAt, phone_id: null, from: null, sent_at: null });
    expect(await usedToday(from)).toBe(0);
    aheadMs += 21 * hourMs;
    // Nobody has notified this process: it looks at its start.
    await using later = await startTestApplication({ clock: { now }, connectionString: app.connectionString });
    expect(later.url).not.toBe(app.url);
    await statusBecomes(from, body.id, 'read');
    expect(await read(from, body.id)).toMatchObject({ send_at: sendAt, error: null });
    expect(await usedToday(from)).toBe(1);
  });

  test.each([
    ['six minutes ago', -0.1, 'Choose a time that is not over'],
    ['in 91 days', 91 * 24, 'Choose a time within the next 90 days'],
  ])('%s is refused', async (_name, hours, message) => {
    const { status, body } = await refuse(await connectedSender(), { send_at: inHours(hours) });
    expect([status, body.errors]).toEqual([422, [{ path: 'send_at', message }]]);
  });

  test('a minute ago goes at once', async () => {
    const { status, body } = await send(await connectedSender(), { send_at: inHours(-1 / 60) });
    expect([status, body.send_at]).toEqual([200, null]);
  });

  test('the same key and time answer the same message, another time is a conflict', async () => {
    const from = await connectedSender();
    const body = { send_at: inHours(1) };
    const first = await send(from, body, 'once');
    const again = await send(from, body, 'once');
    expect([again.status, again.body.id]).toEqual([202, first.body.id]);
    const other = await refuse(from, { send_at: inHours(2) }, 'once');
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_conflict']);
    expect((await refuse(from, {}, 'once')).body.code).toBe('idempotency_conflict');
  });

  test.each([
    ['has come', 1],
    ['is long over', 60],
  ])('the same key and time answer the message when its time %s', async (_name, minutes) => {
    const from = await connectedSender();
    const body = { send_at: inHours(1) };
    const line = { to: '14155550124', message: 'Later', ...body, idempotency_key: 'line' };
    const first = await send(from, body, 'once');
    const [listed] = await postBatch(from, [line]);
    aheadMs += hourMs + minutes * 60_000;
    const again = await send(from, body, 'once');
    expect(again.body.id).toBe(first.body.id);
    expect((await postBatch(from, [{ to: '1' }, line]))[1]).toMatchObject({ index: 1, id: listed?.id });
    expect((await refuse(from, { ...body, message: 'Other' }, 'once')).body.code).toBe(
      minutes === 1 ? 'idempotency_conflict' : 'invalid_input',
    );
  });
});

describe('cancelling', () => {
  const cancel = ({ api }: Pick<Sender, 'api'>, messageId: number) =>
    api.call(cancelMessage, { params: { messageId } });

  test('a scheduled message is taken back for good, and may be cancelled again', async () => {
    const from = await connectedSender();
    const { body: scheduled } = await send(from, { send_at: inHours(1) });
    const { status, body } = await cancel(from, scheduled.id);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'failed', error_code: 'withdrawn', error: 'Cancelled before it was sent' });
    expect((await cancel(from, scheduled.id)).body.status).toBe('failed');
    aheadMs += 2 * hourMs;
    const [other] = await postBatch(from, [{ to: '14155550124', message: 'Now' }]);
    await statusBecomes(from, other?.id ?? 0, 'read');
    expect((await read(from, scheduled.id)).status).toBe('failed');
  });

  test('a sent message stays, and is named in the refusal', async () => {
    const from = await connectedSender();
    const { body: sent } = await send(from, {});
    const { status, body } = await from.api.refuse(cancelMessage, { params: { messageId: sent.id } });
    expect([status, body.code, body.message_id]).toEqual([409, 'not_cancellable', sent.id]);
  });

  test("another project's message is not there", async () => {
    const from = await connectedSender();
    const { body: scheduled } = await send(from, { send_at: inHours(1) });
    const stranger = await sender();
    const { status } = await stranger.api.refuse(cancelMessage, { params: { messageId: scheduled.id } });
    expect([status, (await read(from, scheduled.id)).status]).toEqual([404, 'scheduled']);
  });
});

describe('a batch', () => {
  test('each line is answered, and a bad one spoils no other', async () => {
    const from = await connectedSender();
    const answers = await postBatch(from, [
      { to: '+1 415 555 0130', message: 'One', metadata: { order: '1' } },
      { to: '12', message: 'Two' },
      'nothing like a message',
      { to: '14155550131', message: 'Bad \ud800 text' },
      { to: '14155550132', message: 'Later', send_at: inHours(1) },
      { to: '14155550133', message: 'Long ago', send_at: inHours(-1) },
      { to: '14155550134', message: 'Six' },
    ]);
    expect(answers.map(({ index, status, error }) => [index, status ?? error?.code])).toEqual([
      [0, 'pending'],
      [1, 'invalid_input'],
      [2, 'invalid_input'],
      [3, 'invalid_input'],
      [4, 'scheduled'],
      [5, 'invalid_input'],
      [6, 'pending'],
    ]);
    expect(answers[1]?.error?.message).toBe('to: Invalid number');
    expect(answers[5]?.error?.message).toBe('send_at: Choose a time that is not over');
    for (const place of [0, 6]) await statusBecomes(from, answers[place]?.id ?? 0, 'read');
    expect(await read(from, answers[0]?.id ?? 0)).toMatchObject({ metadata: { order: '1' }, send_at: null });
    expect((await read(from, answers[4]?.id ?? 0)).status).toBe('scheduled');
  });

  test('a key stands for one message: within the batch, in the next one, and in a direct send', async () => {
    const from = await connectedSender();
    const line = { to: '14155550140', message: 'Once', idempotency_key: 'a' };
    const first = await postBatch(from, [line, line, { ...line, message: 'Twice' }]);
    expect(first[1]?.id).toBe(first[0]?.id);
    expect(first[2]?.error?.code).toBe('idempotency_conflict');
    const [[again], [beside]] = await Promise.all([postBatch(from, [line]), postBatch(from, [line])]);
    expect([again?.id, beside?.id]).toEqual([first[0]?.id, first[0]?.id]);
    const { body: direct } = await send(from, { to: '14155550140', message: 'Once' }, 'a');
    expect(direct.id).toBe(first[0]?.id);
  });

  test('a new key in two batches at once makes one message', async () => {
    const from = await sender();
    const line = { to: '14155550141', message: 'Once', idempotency_key: 'both' };
    const answers = await Promise.all(Array.from({ length: 4 }, () => postBatch(from, [line])));
    expect(new Set(answers.map(([answer]) => answer?.id)).size).toBe(1);
  });

  test('messages wait for a phone, and go once there is one', async () => {
    const from = await sender();
    const [answer] = await postBatch(from, [{ to: '14155550150', message: 'Patience' }]);
    expect(answer).toMatchObject({ status: 'pending' });
    await connectSandboxPhone(from.customer, from.projectId);
    await statusBecomes(from, answer?.id ?? 0, 'read');
  });

  test('a batch goes out whole, though a phone has room for less', async () => {
    const from = await connectedSender();
    const lines = Array.from({ length: 450 }, (_, index) => ({ to: `1415555${1000 + index}`, message: 'Hi' }));
    const answers = await postBatch(from, lines);
    expect(answers.every(({ status }) => status === 'pending')).toBe(true);
    await statusBecomes(from, answers.at(-1)?.id ?? 0, 'read');
    expect(await usedToday(from)).toBe(450);
  });

  test.each([
    ['no line', []],
    ['1001 lines', Array.from({ length: 1001 }, () => ({ to: '14155550123', message: 'Hi' }))],
  ])('%s is refused as a whole', async (_name, messages) => {
    const { api } = await sender();
    const { status, body } = await api.refuse(sendBatch, { body: { messages } });
    expect([status, body.errors?.[0]?.path]).toEqual([422, 'messages']);
  });
});
