import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { searchMessages } from '#contracts/message-search.ts';
import { receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import type { Message } from '#contracts/messages.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { patience } from '#tests/support/patience.ts';
import { startWebhookReceiver } from '#tests/webhook-receiver.ts';

let app: TestApplication;
let customer: Customer;
let byKey: ApiClient;
let authKey: string;
let receiver: Awaited<ReturnType<typeof startWebhookReceiver>>;
/** Sent one after another, then one that came in. */
let sent: Message[];
let incoming: Message;

beforeAll(async () => {
  app = await startTestApplication();
  receiver = await startWebhookReceiver();
  customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, receiver.url);
  authKey = project.auth_key;
  byKey = createApiClient(app.url, { 'x-auth-key': authKey });
  const phone = await connectSandboxPhone(customer, project.id);
  sent = [];
  for (const [to, message, metadata] of [
    ['14155550201', 'First order', { order: '1', shop: 'Lisbon' }],
    ['14155550202', 'Second ORDER', { order: '2', shop: 'Lisbon' }],
    ['14155550203', 'Sale: 100% off', undefined],
  ] as const) {
    sent.push((await byKey.call(sendMessage, { headers: {}, body: { to, message, metadata } })).body);
  }
  const params = { phoneId: phone.id };
  ({ body: incoming } = await customer.api.call(receiveSandboxMessage, {
    params,
    body: { from: '14155550201', message: 'Thanks' },
  }));
  // Their statuses change no more while the tests read them.
  await vi.waitFor(async () => {
    const { body } = await customer.api.call(searchMessages, { query: { status: 'read' } });
    expect(body.data).toHaveLength(3);
  }, patience);
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const idsOf = (messages: readonly Message[]) => messages.map(({ id }) => id);

async function get(query: string, headers: Record<string, string> = { authorization: customer.token }) {
  const response = await fetch(`${app.url}/api/messages?${query}`, { headers });
  return { status: response.status, body: (await response.json()) as { data: Message[]; errors?: unknown } };
}

test('pages follow each other by their cursor, newest first, and end', async () => {
  const pages: number[][] = [];
  let after: string | undefined;
  do {
    const { body } = await byKey.call(searchMessages, { query: { limit: 2, ...(after && { after }) } });
    pages.push(idsOf(body.data));
    after = body.next_cursor ?? undefined;
  } while (after);
  const all = [...idsOf(sent), incoming.id].toReversed();
  expect(pages).toEqual([all.slice(0, 2), all.slice(2)]);
});

describe('filters', () => {
  const third = () => sent[2]?.created_at ?? '';
  test.each<[string, () => string, () => number[]]>([
    ['a direction', () => 'direction=incoming', () => [3]],
    ['a status', () => 'status=read', () => [2, 1, 0]],
    ['a type', () => 'type=text&direction=outgoing', () => [2, 1, 0]],
    ['a type that nothing has', () => 'type=image', () => []],
    ['a number, of either side', () => 'number=%2B1 (415) 555-0201', () => [3, 0]],
    ['a text in any case', () => 'text=order', () => [1, 0]],
    ['a text with what is a wildcard elsewhere', () => 'text=0%25', () => [2]],
    ['metadata', () => 'metadata=order:2', () => [1]],
    ['several pairs of it', () => 'metadata=shop:Lisbon&metadata=order:1', () => [0]],
    ['pairs that no message has together', () => 'metadata=order:1&metadata=order:2', () => []],
    ['a time from which on', () => `created_after=${third()}`, () => [3, 2]],
    ['a time before which', () => `created_before=${third()}`, () => [1, 0]],
    ['a campaign that is none', () => 'campaign_id=1', () => []],
    ['a project that is none of theirs', () => 'project_id=999999', () => []],
  ])('%s', async (_name, query, expected) => {
    const { status, body } = await get(query());
    const all = [...idsOf(sent), incoming.id];
    expect([status, idsOf(body.data ?? [])]).toEqual([200, expected().map((place) => all[place])]);
  });

  test.each([
    ['colour=red', 'colour', 'Unknown field colour'],
    ['page=2', 'page', 'Unknown field page'],
    ['limit=101', 'limit', 'Use 1 to 100'],
    ['metadata=order', 'metadata', 'Write up to 5 as key:value'],
    ['number=abc', 'number', 'Enter some digits of a number'],
    ['after=abc', 'after', 'Use the next_cursor of an earlier answer'],
    ['created_after=yesterday', 'created_after', 'Enter a date and time, ISO 8601'],
  ])('%s is refused', async (query, path, message) => {
    const { status, body } = await get(query);
    expect([status, body.errors]).toEqual([422, [{ path, message }]]);
  });
});

test("a stranger's key finds nothing", async () => {
  const stranger = await signUpSubscriber(app.url);
  const project = await makeProject(stranger);
  expect((await get('', { 'x-auth-key': project.auth_key })).body.data).toEqual([]);
  expect((await get('', { authorization: stranger.token })).body.data).toEqual([]);
});

test('the CSV holds the same messages', async () => {
  const response = await fetch(`${app.url}/api/messages/export?direction=outgoing&metadata=shop:Lisbon`, {
    headers: { 'x-auth-key': authKey },
  });
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  expect(response.headers.get('content-disposition')).toBe('attachment; filename="messages.csv"');
  const [head, ...rows] = (await response.text()).trimEnd().split('\r\n');
  expect(head?.split(',').slice(0, 2)).toEqual(['id', 'created_at']);
  expect(rows.map((row) => Number(row.split(',', 1)[0]))).toEqual([sent[1]?.id, sent[0]?.id]);
  expect(rows[1]).toContain('"{""shop"":""Lisbon"",""order"":""1""}"');
});

test('metadata comes back in the record and in its webhooks', async () => {
  expect(sent[0]?.metadata).toEqual({ order: '1', shop: 'Lisbon' });
  await vi.waitFor(() => {
    const told = receiver.received.map(({ body }) => JSON.parse(body) as { type: string; data: Message });
    const read = told.find(({ type, data }) => type === 'message.read' && data.id === sent[0]?.id);
    expect(read?.data.metadata).toEqual({ order: '1', shop: 'Lisbon' });
  }, patience);
});

test.each<[string, Record<string, unknown>]>([
  ['21 pairs', Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`key${index}`, 'x']))],
  ['a number', { order: 1 }],
  ['a name with a colon', { 'a:b': 'x' }],
  ['a value of 501 characters', { order: 'x'.repeat(501) }],
])('metadata with %s is refused', async (_name, metadata) => {
  const { status } = await byKey.refuse(sendMessage, {
    headers: {},
    body: { to: '14155550123', message: 'Hi', metadata: metadata as Record<string, string> },
  });
  expect(status).toBe(422);
});
