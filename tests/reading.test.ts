import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConversations, replyToConversation, showTyping, updateConversation } from '#contracts/conversations.ts';
import type { LiveEvent } from '#contracts/live.ts';
import { getProject, updateProject } from '#contracts/projects.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';
import { startTestApplication } from './support/application.ts';
import type { TestApplication } from './support/application.ts';
import { makeProject, signUpSubscriber } from './support/customer.ts';
import { createTestDatabase } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { scanPhone } from './support/scan-phone.ts';
import { controlOf } from './whatsapp/control.ts';
import { WhatsAppStandIn } from './whatsapp/stand-in.ts';
import { trustTestRoot } from './whatsapp/test-root.ts';

trustTestRoot();

/** Two processes, an API and a worker that holds the phones, share only the database. */
let database: TestDatabase;
let whatsApp: WhatsAppStandIn;
let asked: TestApplication;
let holder: TestApplication;

beforeAll(async () => {
  database = await createTestDatabase();
  whatsApp = await WhatsAppStandIn.listen();
  const shared = { connectionString: database.applicationConnectionString, secretKey: randomBytes(32) };
  const env = { WHATSAPP_SOCKET_URL: whatsApp.url };
  holder = await startTestApplication({ ...shared, env: { ...env, ROLES: 'worker' } });
  asked = await startTestApplication({ ...shared, env: { ...env, ROLES: 'api' } });
});

afterAll(async () => {
  await asked[Symbol.asyncDispose]();
  await holder[Symbol.asyncDispose]();
  await whatsApp.close();
  await database.drop();
});

let lastNumber = 5_511_900_005_000;
const nextNumber = () => String((lastNumber += 1));

/** A phone that a contact wrote `texts` to, in a project with these settings. */
async function written(texts: readonly string[], settings: object = {}) {
  const customer = await signUpSubscriber(asked.url);
  const { api } = customer;
  const project = await makeProject(customer);
  const params = { projectId: project.id };
  const change = async (body: object) => (await api.call(updateProject, { params, body })).body;
  await change(settings);
  const [own, contact] = [nextNumber(), nextNumber()];
  await scanPhone(controlOf(whatsApp), api, { projectId: project.id, phone_number: own });
  await expect.poll(() => whatsApp.isConnected(own)).toBe(true);
  const write = (text: string) => whatsApp.incoming({ from: contact, to: own, text });
  const ids: string[] = [];
  for (const text of texts) ids.push(await write(text));
  const conversation = async () =>
    (await api.call(listConversations, { query: { project_id: project.id } })).body.data[0];
  await expect.poll(async () => (await conversation())?.unread_count).toBe(texts.length);
  const conversationId = (await conversation())?.id ?? 0;
  const read = (body: object) => api.call(updateConversation, { params: { conversationId }, body });
  const waiting = async () => {
    const { rows } = await database.pool.query<{ count: number }>(
      'select count(*)::int as count from read_receipts where account_id = $1',
      [customer.id],
    );
    return rows[0]?.count;
  };
  return { customer, api, project, own, contact, change, write, ids, conversation, conversationId, read, waiting };
}

test('reading in the inbox sends no receipts unless the project says so', async () => {
  const { api, project, contact, ids, read, waiting, change, write, conversation } = await written(['one', 'two']);
  expect((await api.call(getProject, { params: { projectId: project.id } })).body).toMatchObject({
    read_receipts: false,
    typing_indicators: false,
  });
  await read({ read: true });
  expect(await waiting()).toBe(0);

  expect(await change({ read_receipts: true })).toMatchObject({ read_receipts: true, typing_indicators: false });
  const later = await write('three');
  await expect.poll(async () => (await conversation())?.unread_count).toBe(1);
  await read({ read: true });
  // Messages read before still get no receipts.
  await expect.poll(() => whatsApp.contact(contact).toldRead).toEqual([later]);
  expect(ids).not.toContain(later);
  await expect.poll(waiting).toBe(0);
  expect(whatsApp.stats().wrongPresence).toEqual([]);
});

test('messages after the last one seen get no receipt until somebody answers', async () => {
  const { api, contact, ids, conversationId, read, waiting } = await written(['one', 'two', 'three'], {
    read_receipts: true,
  });
  const { rows } = await database.pool.query<{ id: number }>('select id from messages where network_id = $1', [ids[1]]);
  await read({ read: true, read_up_to: Number(rows[0]?.id) });
  await expect.poll(() => whatsApp.contact(contact).toldRead).toEqual(ids.slice(0, 2));
  await read({ read: false });
  await read({ status: 'done' });
  await api.call(replyToConversation, { params: { conversationId }, body: { message: 'Hello' } });
  await expect.poll(() => whatsApp.contact(contact).toldRead).toEqual(ids);
  await expect.poll(waiting).toBe(0);
});

test('reads made while the phone is away are reported once it is back, if that is still wanted', async () => {
  const first = await written(['one'], { read_receipts: true });
  const second = await written(['two'], { read_receipts: true });
  for (const { own } of [first, second]) {
    whatsApp.refuseLogins(own, 503);
    whatsApp.kick(own, 'close');
  }
  for (const { read } of [first, second]) await read({ read: true });
  expect([await first.waiting(), await second.waiting()]).toEqual([1, 1]);
  await second.change({ read_receipts: false });
  for (const { own } of [first, second]) whatsApp.refuseLogins(own, undefined);

  await expect.poll(() => whatsApp.contact(first.contact).toldRead).toEqual(first.ids);
  await expect.poll(second.waiting).toBe(0);
  expect(whatsApp.contact(second.contact).toldRead).toEqual([]);
});

test('typing shows both ways where the project says so, whichever process holds the phone', async () => {
  const { customer, api, project, own, contact, change, conversationId } = await written(['one']);
  const type = (typing: boolean) => api.call(showTyping, { params: { conversationId }, body: { typing } });
  const seen: LiveEvent[] = [];
  const stop = subscribeLive(asked.ctx, (event) => seen.push(event), { accountId: customer.id });
  await type(true);
  await change({ typing_indicators: true });
  await type(false);
  await expect.poll(() => whatsApp.typing(contact, own, true)).toBe(true);
  const typing = { type: 'conversations.typing', project_id: project.id, conversation_id: conversationId };
  await expect.poll(() => seen).toContainEqual({ ...typing, is_typing: true });
  expect(whatsApp.contact(contact).sawTyping).toEqual([]);

  await type(true);
  await type(false);
  await expect
    .poll(() => whatsApp.contact(contact).sawTyping.map(({ state }) => state))
    .toEqual(['composing', 'paused']);
  whatsApp.typing(contact, own, false);
  await expect.poll(() => seen).toContainEqual({ ...typing, is_typing: false });
  stop();

  const stranger = await signUpSubscriber(asked.url);
  const refused = await stranger.api.refuse(showTyping, { params: { conversationId }, body: { typing: true } });
  expect(refused.status).toBe(404);
  expect(whatsApp.stats().wrongPresence).toEqual([]);
});
