import { createECDH, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNote } from '#contracts/conversation-notes.ts';
import { listConversations, updateConversation } from '#contracts/conversations.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import {
  createPushSubscription,
  deletePushSubscription,
  getNotificationSettings,
  listNotifications,
  listPushSubscriptions,
  readNotifications,
  updateNotificationSettings,
} from '#contracts/notifications.ts';
import { removeMember } from '#contracts/team.ts';
import { inTransaction } from '#server/context.ts';
import { sendDueMails } from '#server/modules/identity/mails/index.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import { wakeConversations } from '#server/modules/messaging/conversations/index.ts';
import { receiveMessage } from '#server/modules/messaging/messages/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { startPushServiceStandIn } from '#tests/support/push-service-stand-in.ts';
import { startSmtpStandIn } from '#tests/support/smtp-stand-in.ts';
import { mailDigests } from './mail-digests.ts';
import { sendPushes } from './push/send-pushes.ts';
import { removeOldNotifications } from './remove-old.ts';
import { workOffCauses } from './work-off-causes.ts';

let app: TestApplication;
let smtp: Awaited<ReturnType<typeof startSmtpStandIn>>;

beforeAll(async () => {
  smtp = await startSmtpStandIn();
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5', SMTP_URL: smtp.url } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await smtp[Symbol.asyncDispose]();
});

const from = '14155550132';
const hourMs = 3_600_000;
const inAnHour = () => ({ ...app.ctx, clock: { now: () => new Date(Date.now() + hourMs) } });

async function scene() {
  const owner = await signUpSubscriber(app.url);
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  const agent = await signUp(app.url);
  await joinAccount(app, owner, agent, 'agent');
  await sql`update accounts set email_unconfirmed_since = null, name = 'Grace Hopper' where id = ${agent.id}`.execute(
    app.ctx.db,
  );
  const write = (message = 'A secret of mine') =>
    owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message } });
  await write();
  const conversationId = (await owner.api.call(listConversations, { query: {} })).body.data[0]?.id ?? 0;
  const params = { conversationId };
  const change = ({ api }: Customer, body: object) => api.call(updateConversation, { params, body });
  const list = async ({ api }: Customer, status: 'unread' | 'all' = 'unread') =>
    (await api.call(listNotifications, { query: { status } })).body;
  const titles = async (who: Customer) => (await list(who)).data.map(({ title }) => title);
  const kinds = async (who: Customer) => (await list(who)).data.map(({ kind }) => kind);
  return { owner, agent, project, phone, conversationId, params, write, change, list, titles, kinds };
}

test('members are told of what concerns them, once a conversation, and not of what they did', async () => {
  const { owner, agent, params, write, change, list, titles, kinds } = await scene();
  await expect.poll(() => kinds(owner)).toEqual(['message_unassigned']);
  await expect.poll(() => kinds(agent)).toEqual(['message_unassigned']);
  await change(owner, { assigned_to: agent.id });
  await expect.poll(() => kinds(agent)).toEqual(['assigned', 'message_unassigned']);
  await owner.api.call(createNote, { params, body: { text: '@Grace a note of mine' } });
  await expect.poll(() => kinds(agent)).toContain('mentioned');
  await write();
  await write();
  await expect.poll(() => titles(agent)).toContain('+1 415 555 0132 wrote 2 messages to you');
  expect(await kinds(owner)).toEqual(['message_unassigned']);
  const { data, unread_count: unread } = await list(agent);
  expect(unread).toBe(4);
  expect(data.find(({ kind }) => kind === 'assigned')).toMatchObject({
    actor: { id: owner.id },
    conversation_id: params.conversationId,
    read_at: null,
  });
  expect(JSON.stringify(data)).not.toMatch(/secret|a note of mine/);

  const [first] = data;
  const one = await agent.api.call(readNotifications, { body: { ids: [first?.id ?? 0] } });
  expect(one.body.unread_count).toBe(3);
  const other = await agent.api.call(readNotifications, { body: { conversation_id: 999_999_999 } });
  expect(other.body.unread_count).toBe(3);
  await owner.api.call(readNotifications, { body: { ids: data.map(({ id }) => id) } });
  expect((await list(agent)).unread_count).toBe(3);
  const all = await agent.api.call(readNotifications, { body: {} });
  expect(all.body.unread_count).toBe(0);
  expect((await list(agent, 'all')).data).toHaveLength(4);
  await removeOldNotifications({
    ...app.ctx,
    clock: { now: () => new Date(Date.now() + 31 * 24 * hourMs) },
  });
  expect((await list(agent, 'all')).data).toEqual([]);
});

test('notifications of a hidden person go with the conversation that becomes part of that of their number', async () => {
  const { owner, agent, project, phone, conversationId, list, titles, kinds } = await scene();
  await expect.poll(() => kinds(agent)).toEqual(['message_unassigned']);
  const of = { accountId: owner.id, projectId: project.id, phoneId: phone.id, number: phone.phone_number ?? '' };
  const receive = (peer: Peer, networkId: string) =>
    receiveMessage(app.ctx, of, {
      networkId,
      peer,
      isFromHandset: false,
      at: new Date(),
      content: { type: 'text', text: 'Hello' },
    });
  await receive({ lid: '79' }, 'HIDDEN');
  const { data: conversations } = (await owner.api.call(listConversations, { query: {} })).body;
  const hiddenId = conversations.find(({ id }) => id !== conversationId)?.id ?? 0;
  const params = { conversationId: hiddenId };
  await owner.api.call(createNote, { params, body: { text: '@Grace a note of mine' } });
  await expect
    .poll(async () => (await kinds(agent)).toSorted())
    .toEqual(['mentioned', 'message_unassigned', 'message_unassigned']);
  await receive({ number: from, lid: '79' }, 'SHOWN');
  await expect.poll(() => titles(agent)).toContain('+1 415 555 0132 wrote 2 messages');
  expect(await kinds(agent)).toContain('mentioned');
  const { data } = await list(agent);
  expect(data.map((each) => each.conversation_id)).toEqual([conversationId, conversationId]);
});

test('an alert about first contacts comes up at the bell, once, and leaves no cause behind', async () => {
  const { owner, agent, project, phone, titles } = await scene();
  await app.ctx.db.updateTable('phones').set({ name: 'Shop line' }).where('id', '=', phone.id).execute();
  const use = (used: number) => {
    const at = new Date();
    const ofPhone = { accountId: owner.id, projectId: project.id, phoneId: phone.id };
    const event = { type: 'phone.first_contacts_used', ...ofPhone, used, allowed: 10, at } as const;
    const until = new Date(at.getTime() + hourMs);
    return inTransaction(app.ctx, (tx) => tx.onDomainEvents(tx, [{ ...event, until }]));
  };
  await use(8);
  const low = 'Shop line has used 8 of its 10 first contacts today';
  await expect.poll(() => titles(owner)).toContain(low);
  await use(9);
  await use(10);
  await expect.poll(() => titles(owner)).toContain('Shop line has used its first contacts of today');
  expect((await titles(owner)).filter((title) => title.startsWith('Shop line'))).toHaveLength(2);
  expect((await titles(agent)).filter((title) => title.startsWith('Shop line'))).toEqual([]);
  const causes = app.ctx.db.selectFrom('notification_causes').select('id').where('account_id', '=', owner.id);
  await expect.poll(() => causes.execute()).toEqual([]);
});

test('a snooze that ends tells whoever put the conversation aside, and a setting keeps an occasion quiet', async () => {
  const { owner, agent, change, kinds } = await scene();
  await expect.poll(() => kinds(owner)).toEqual(['message_unassigned']);
  expect((await agent.api.call(getNotificationSettings)).body).toMatchObject({ shows_texts: false });
  await agent.api.call(readNotifications, { body: {} });
  await change(owner, { snoozed_until: new Date(Date.now() + hourMs / 2).toISOString() });
  await wakeConversations(inAnHour());
  await workOffCauses(inAnHour());
  await expect.poll(() => kinds(owner)).toContain('snooze_ended');
  expect(await kinds(agent)).toEqual([]);
  const off = { page: false, push: false, mail: false };
  const { body } = await agent.api.call(updateNotificationSettings, { body: { assigned: off } });
  expect(body).toMatchObject({ assigned: off, mentioned: { page: true } });
  await change(owner, { assigned_to: agent.id });
  const { count } = await app.ctx.db
    .selectFrom('notification_causes')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  expect(count).toBeLessThanOrEqual(1);
  await expect
    .poll(async () => (await app.ctx.db.selectFrom('notification_causes').selectAll().execute()).length)
    .toBe(0);
  expect(await kinds(agent)).toEqual([]);
});

test('unread for a while, things are gathered in one mail without a text, unless the person wants texts', async () => {
  const { owner, agent, params, write, change, kinds } = await scene();
  await change(owner, { assigned_to: agent.id });
  await owner.api.call(createNote, { params, body: { text: '@Grace a note of mine' } });
  await expect.poll(() => kinds(agent)).toContain('mentioned');
  await mailDigests(app.ctx);
  // Mails of the sign-up may still be on their way.
  const mailsOf = () =>
    smtp.mails.filter(({ to, email }) => to === agent.email && /Open the (inbox|conversation)/.test(email.text ?? ''));
  const before = mailsOf().length;
  await mailDigests(inAnHour());
  await sendDueMails(inAnHour());
  await expect.poll(() => mailsOf().length).toBe(before + 1);
  const mail = mailsOf().at(-1)?.email;
  expect(mail?.text).toMatch(/gave you \+1 415 555 0132/);
  expect(mail?.text).toMatch(/mentioned you on/);
  expect(mail?.text).toMatch(/\/settings\/notifications\s+has a\s+switch/);
  expect(mail?.text).not.toMatch(/a note of mine|secret/);
  // Told once.
  await mailDigests(inAnHour());
  await agent.api.call(updateNotificationSettings, {
    body: { shows_texts: true, message_mine: { mail: true } },
  });
  await agent.api.call(readNotifications, { body: {} });
  await write('Where is my parcel?');
  await expect.poll(() => kinds(agent)).toEqual(['message_mine']);
  await mailDigests(inAnHour());
  await sendDueMails(inAnHour());
  await expect.poll(() => mailsOf().length).toBe(before + 2);
  expect(mailsOf().at(-1)?.email.text).toMatch(/Where is my parcel\?/);
});

const browserKeys = () => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return { p256dh: pair.getPublicKey().toString('base64url'), auth: randomBytes(16).toString('base64url') };
};

test('a browser is pushed to, encrypted, until it is over, the person reads, or is removed', async () => {
  await using service = await startPushServiceStandIn();
  const { owner, agent, params, write, change, kinds } = await scene();
  const subscribe = async (path: string) =>
    (await agent.api.call(createPushSubscription, { body: service.subscribe(path) })).body;
  const first = await subscribe('first');
  expect(first).toMatchObject({ current: true });
  expect((await subscribe('first')).id).toBe(first.id);
  const { body: listed } = await agent.api.call(listPushSubscriptions);
  expect(listed.public_key).toMatch(/^[\w-]{87}$/);
  expect((await owner.api.call(listPushSubscriptions)).body).toEqual({ public_key: listed.public_key, data: [] });
  await change(owner, { assigned_to: agent.id });
  await expect.poll(() => service.pushes.length).toBe(1);
  const path = `/inbox?conversation=${params.conversationId}`;
  expect(service.pushes).toEqual([
    {
      path: 'first',
      payload: {
        title: 'Ada Lovelace gave you +1 415 555 0132',
        body: '',
        path,
        tag: `assigned ${params.conversationId}`,
      },
    },
  ]);
  // The text of a message goes along for who says so alone.
  await write('A secret of mine');
  await expect.poll(() => service.pushes.length).toBe(2);
  expect(JSON.stringify(service.pushes)).not.toContain('secret');
  await agent.api.call(updateNotificationSettings, { body: { shows_texts: true } });
  await agent.api.call(readNotifications, { body: {} });
  await write('Where is my parcel?');
  await expect.poll(() => service.pushes.length).toBe(3);
  expect(service.pushes[2]?.payload).toMatchObject({ body: 'Where is my parcel?', path });
  await agent.api.call(readNotifications, { body: {} });
  const sealed = await app.ctx.db.selectFrom('push_subscriptions').selectAll().execute();
  expect(JSON.stringify(sealed.map((row) => row.sealed.toString('latin1')))).not.toContain('127.0.0.1');

  service.status = 410;
  await write();
  await expect.poll(async () => (await agent.api.call(listPushSubscriptions)).body.data).toEqual([]);
  service.status = 201;
  const second = await subscribe('second');
  await agent.api.call(deletePushSubscription, { params: { subscriptionId: second.id } });
  expect((await agent.api.refuse(deletePushSubscription, { params: { subscriptionId: second.id } })).status).toBe(404);
  await subscribe('third');
  await expect.poll(() => kinds(agent)).toContain('message_mine');
  const sent = service.pushes.length;
  await owner.api.call(removeMember, { params: { userId: agent.id } });
  await write();
  await expect.poll(() => kinds(owner)).toContain('message_unassigned');
  await sendPushes(app.ctx);
  expect(service.pushes.filter((push) => push.path === 'third')).toHaveLength(0);
  expect(service.pushes.length).toBe(sent);
  expect(service.faults).toEqual([]);
  expect(
    await app.ctx.db.selectFrom('push_subscriptions').selectAll().where('user_id', '=', agent.id).execute(),
  ).toEqual([]);
});

test('addresses that must not be called are no push services', async () => {
  await using guarded = await startTestApplication({ env: { WEBHOOKS_ALLOW_PRIVATE_ADDRESSES: 'false' } });
  const owner = await signUpSubscriber(guarded.url);
  for (const endpoint of [
    'http://127.0.0.1/x',
    'https://169.254.169.254/x',
    'http://push.example.com/x',
    'ftp://a/b',
  ]) {
    const refused = await owner.api.refuse(createPushSubscription, { body: { endpoint, keys: browserKeys() } });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ path: 'endpoint' }] } });
  }
  const wrong = { p256dh: 'short', auth: 'x' };
  const refused = await owner.api.refuse(createPushSubscription, {
    body: { endpoint: 'https://push.example.com/x', keys: wrong },
  });
  expect(refused.status).toBe(422);
});
