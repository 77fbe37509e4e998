import { afterAll, beforeAll, expect, test } from 'vitest';
import { eraseProfile } from '#contracts/account-data.ts';
import { createProfile } from '#contracts/profiles.ts';
import { listConversationMessages, listConversations } from '#contracts/conversations.ts';
import { getPhoneHistory } from '#contracts/phone-history.ts';
import { connectPhone, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { updateProject } from '#contracts/projects.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { tablesWith } from './support/tables-with.ts';
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
  const { history, conversations, thread, number } = linked;
  await taken(linked, 2);
  await whatsApp.incoming({ from: person, to: number, text: 'Both ways', id: 'BOTHWAYS' });
  await expect.poll(async () => (await conversations())[0]?.unread_count).toBe(1);
  await linkAnew(linked, [[{ number: person, messages: [twice, ...earlier, kept('Third', 7)] }]]);
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

/** Links the number again, whose handset has these chats by now. */
async function linkAnew({ api, project, phoneId, number }: Awaited<ReturnType<typeof linkWith>>, pieces: KeptChat[][]) {
  whatsApp.contact(number).sharedChats = pieces;
  whatsApp.removeDevice(number);
  await expect
    .poll(async () => (await api.call(listPhoneNumbers, { params: { projectId: project.id } })).body.data[0]?.status)
    .toBe('auth_failed');
  const { body: link } = await api.call(connectPhone, { params: { phoneId } });
  await whatsApp.scan('qr_payload' in link ? link.qr_payload : '', number);
}

test('of an erased person no record says which messages were taken over', async () => {
  const person = nextNumber();
  const sent = kept('Hello', 1, { fromMe: true });
  const linked = await linkWith(() => [[{ number: person, messages: [sent, kept('Hi', 2)] }]]);
  await taken(linked, 2);
  const { body: profile } = await linked.api.call(createProfile, { body: { phone: person } });
  await linked.api.call(eraseProfile, { params: { profileId: profile.id } });
  expect(await tablesWith(app.ctx.pool, person)).toEqual([]);
});

test('a chat in several pieces, in any order and again, is as unread as the handset says', async () => {
  const [ann, bob, cleo] = [nextNumber(), nextNumber(), nextNumber()];
  const newest = kept('Three', 1);
  const older = [kept('Two', 2), kept('One', 3), kept('Read before', 4)];
  const [late, early] = [[kept('New', 1)], [kept('Old', 2), kept('Older', 3)]];
  const linked = await linkWith(() => [
    [{ number: ann, unread: 3, messages: [newest] }],
    [
      { number: ann, unread: 3, messages: [newest, ...older] },
      { number: bob, unread: 1, messages: early },
      { number: cleo, messages: [kept('Read', 1)] },
    ],
    [{ number: bob, unread: 1, messages: late }],
    [{ number: cleo, messages: [kept('Read as well', 2)] }],
  ]);
  await taken(linked, 9);
  const unread = new Map((await linked.conversations()).map(({ phone, ...each }) => [phone, each]));
  expect(unread.get(ann)).toMatchObject({ status: 'open', unread_count: 3 });
  expect(unread.get(bob)).toMatchObject({ status: 'open', unread_count: 1 });
  expect(unread.get(cleo)).toMatchObject({ status: 'done', unread_count: 0 });
});

test('messages of the time without a link that the handset has not read open a conversation again', async () => {
  const [ann, bob] = [nextNumber(), nextNumber()];
  const [ofAnn, ofBob] = [[kept('First', 5), kept('Second', 6)], [kept('Thanks', 5)]];
  const linked = await linkWith(() => [
    [
      { number: ann, messages: ofAnn },
      { number: bob, messages: ofBob },
    ],
  ]);
  await taken(linked, 3);
  await linkAnew(linked, [
    [
      { number: ann, unread: 1, messages: [kept('STOP', 0.01), kept('Read on the handset', 0.02), ...ofAnn] },
      // Unread is what is known here, and was done.
      { number: bob, unread: 1, messages: [...ofBob, kept('Before', 7)] },
    ],
  ]);
  await expect.poll(linked.history).toMatchObject({ messages: 6, state: 'done' });
  expect(await linked.conversations()).toMatchObject([
    { phone: ann, status: 'open', unread_count: 1, may_want_to_opt_out: true },
    { phone: bob, status: 'done', unread_count: 0 },
  ]);
});
