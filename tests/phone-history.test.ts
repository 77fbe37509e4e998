import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConversationMessages, listConversations } from '#contracts/conversations.ts';
import { getPhoneHistory } from '#contracts/phone-history.ts';
import { connectPhone, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { updateProject } from '#contracts/projects.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { scanPhone } from './support/scan-phone.ts';
import type { KeptChat, KeptMessage } from './whatsapp/history.ts';
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

let lastNumber = 5_511_900_800_000;
const nextNumber = () => String((lastNumber += 1));
const daySeconds = 86_400;
const daysAgo = (days: number) => Math.floor(Date.now() / 1000 - days * daySeconds);

let lastId = 0;
function kept(text: string, days: number, more: Partial<KeptMessage> = {}): KeptMessage {
  return { id: `EARLIER${(lastId += 1)}`, fromMe: false, at: daysAgo(days), message: { conversation: text }, ...more };
}

/** Links a number whose handset has these chats. */
async function linkWith(pieces: (number: string) => KeptChat[][], wants = true) {
  const customer = await signUpSubscriber(app.url);
  const { api } = customer;
  const project = await makeProject(customer, 'http://127.0.0.1:9/hook');
  const params = { projectId: project.id };
  if (wants) await api.call(updateProject, { params, body: { import_history: true } });
  const number = nextNumber();
  whatsApp.contact(number).sharedChats = pieces(number);
  const phoneId = await scanPhone(whatsApp, api, { projectId: project.id, phone_number: number });
  await expect.poll(async () => (await api.call(listPhoneNumbers, { params })).body.data[0]?.status).toBe('connected');
  const history = async () => (await api.call(getPhoneHistory, { params: { phoneId } })).body;
  const conversations = async () => (await api.call(listConversations, { query: {} })).body.data;
  const thread = async (conversationId: number) =>
    (await api.call(listConversationMessages, { params: { conversationId }, query: {} })).body.data;
  return { customer, api, project, phoneId, number, history, conversations, thread };
}

async function taken({ history }: Awaited<ReturnType<typeof linkWith>>, messages: number): Promise<void> {
  await expect.poll(history).toMatchObject({ messages, state: 'done' });
}

test('chats of the last 30 days stand in the inbox in their order, and nobody is told of them', async () => {
  const [ann, bob] = [nextNumber(), nextNumber()];
  const { lid } = whatsApp.contact(ann);
  const linked = await linkWith(() => [
    [
      {
        number: ann,
        lid,
        isByLid: true,
        name: 'Ann of the book',
        unread: 1,
        messages: [
          kept('Is it still there?', 1, { pushName: 'Ann' }),
          kept('Yes, for 20', 2, { fromMe: true, status: 4 }),
          kept('How much is the pot?', 2.5),
          kept('An old one', 40),
        ],
      },
    ],
    [
      {
        number: bob,
        name: 'Bob',
        messages: [kept('Thanks!', 3), kept('It is on its way', 4, { fromMe: true, status: 3 })],
      },
    ],
  ]);
  const { history, conversations, thread, api, project } = linked;
  await taken(linked, 5);
  expect(await history()).toMatchObject({ is_wanted: true, percent: 100, chats: 2 });
  const [first, second, ...others] = await conversations();
  expect(others).toEqual([]);
  expect(first).toMatchObject({ phone: ann, name: 'Ann', status: 'open', unread_count: 1 });
  expect(second).toMatchObject({ phone: bob, name: 'Bob', status: 'done', unread_count: 0 });
  const messages = await thread(first?.id ?? 0);
  expect(messages.map(({ message, direction, status, source }) => [message, direction, status, source])).toEqual([
    ['Is it still there?', 'incoming', 'delivered', 'history'],
    ['Yes, for 20', 'outgoing', 'read', 'history'],
    ['How much is the pot?', 'incoming', 'delivered', 'history'],
  ]);
  // The chat is the first one, its newest message first; the oldest is not taken.
  const times = whatsApp.contact(linked.number).sharedChats[0]?.[0]?.messages.map(({ at }) => at);
  expect(messages.map(({ created_at }) => Math.floor(Date.parse(created_at) / 1000))).toEqual(times?.slice(0, 3));
  const { body: records } = await api.call(listWebhooks, { params: { projectId: project.id }, query: {} });
  expect(records.data.filter(({ type }) => type.startsWith('message.'))).toEqual([]);
});

test('without the wish of its project nothing is taken over', async () => {
  const { history, conversations } = await linkWith(
    () => [[{ number: nextNumber(), messages: [kept('Hi', 1)] }]],
    false,
  );
  expect(await history()).toMatchObject({ is_wanted: false, state: 'none', messages: 0 });
  expect(await conversations()).toEqual([]);
});

test('people who wrote before are known, and their STOP is no opt-out but marks the conversation', async () => {
  const person = nextNumber();
  const linked = await linkWith(() => [[{ number: person, messages: [kept('STOP', 1)] }]]);
  const { conversations, phoneId, customer } = linked;
  await taken(linked, 1);
  expect(await conversations()).toMatchObject([{ phone: person, may_want_to_opt_out: true, status: 'done' }]);
  const { rows } = await app.ctx.pool.query(
    `select (select count(*)::int from suppressions where account_id = $1) as out,
            (select count(*)::int from phone_sends where phone_id = $2) as sends,
            (select count(*)::int from phone_contacts where phone_id = $2 and wrote_at is not null) as known`,
    [customer.id, phoneId],
  );
  expect(rows).toEqual([{ out: 0, sends: 0, known: 1 }]);
});

test('a message that arrives while it is taken over, and one of an earlier link, are there once', async () => {
  const person = nextNumber();
  const twice = kept('Both ways', 0.01, { id: 'BOTHWAYS' });
  const earlier = [kept('First', 5), kept('Second', 6)];
  const linked = await linkWith(() => [[{ number: person, messages: earlier }]]);
  const { history, conversations, thread, number, api, project, phoneId } = linked;
  await taken(linked, 2);
  await whatsApp.incoming({ from: person, to: number, text: 'Both ways', id: 'BOTHWAYS' });
  await expect.poll(async () => (await conversations())[0]?.unread_count).toBe(1);
  whatsApp.contact(number).sharedChats = [[{ number: person, messages: [twice, ...earlier, kept('Third', 7)] }]];
  whatsApp.removeDevice(number);
  await expect
    .poll(async () => (await api.call(listPhoneNumbers, { params: { projectId: project.id } })).body.data[0]?.status)
    .toBe('auth_failed');
  const { body: link } = await api.call(connectPhone, { params: { phoneId } });
  await whatsApp.scan('qr_payload' in link ? link.qr_payload : '', number);
  await expect.poll(async () => (await history()).messages).toBe(3);
  const [conversation] = await conversations();
  const texts = (await thread(conversation?.id ?? 0)).map(({ message }) => message);
  expect(texts).toEqual(['Both ways', 'First', 'Second', 'Third']);
});

test('a piece that could not be read is read by the next connection', async () => {
  whatsApp.faults.refusesHistories = true;
  const person = nextNumber();
  const { history, conversations, number } = await linkWith(() => [
    [{ number: person, unread: 3, messages: [kept('Hello', 2), kept('Hello?', 3)] }],
  ]);
  await expect.poll(async () => (await history()).state).toBe('running');
  expect(await conversations()).toEqual([]);
  whatsApp.faults.refusesHistories = false;
  whatsApp.kick(number, 'drop');
  await expect.poll(async () => (await history()).messages).toBe(2);
  expect(await conversations()).toMatchObject([{ phone: person, unread_count: 2, status: 'open' }]);
});
