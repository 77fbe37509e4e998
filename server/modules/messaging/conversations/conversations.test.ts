import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  countConversations,
  getConversation,
  listConversationMessages,
  listConversations,
  openConversation,
  replyToConversation,
  updateConversation,
} from '#contracts/conversations.ts';
import { getMessage, receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { deletePhoneNumber, disconnectPhone } from '#contracts/phone-numbers.ts';
import { createProjectKey } from '#contracts/project-keys.ts';
import { createProfile } from '#contracts/profiles.ts';
import { addSuppression } from '#contracts/suppressions.ts';
import type { LiveEvent } from '#contracts/live.ts';
import type { Peer } from '#server/connectors/messaging/port.ts';
import { inTransaction } from '#server/context.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';
import { receiveMessage } from '#server/modules/messaging/messages/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { followConversations } from './follow-messages.ts';
import { patience } from '#tests/support/patience.ts';
import { takeOverConversations } from './take-over.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

const ada = '14155550132';
const bo = '14155550133';
const cem = '14155550134';

async function inboxScene(webhookUrl?: string) {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, webhookUrl);
  const phone = await connectSandboxPhone(customer, project.id);
  const { api } = customer;
  const write = async (from: string, message: string, phoneId = phone.id) =>
    (await api.call(receiveSandboxMessage, { params: { phoneId }, body: { from, message } })).body;
  const list = async (query: object = {}) =>
    (await api.call(listConversations, { query: { project_id: project.id, ...query } })).body.data;
  const counts = async () => (await api.call(countConversations, { query: { project_id: project.id } })).body;
  const only = async () => {
    const [conversation] = await list();
    if (!conversation) throw new Error('There is no conversation');
    return conversation;
  };
  const change = (conversationId: number, body: object) =>
    api.call(updateConversation, { params: { conversationId }, body });
  const thread = async (conversationId: number, query: object = {}) =>
    (await api.call(listConversationMessages, { params: { conversationId }, query })).body;
  const reply = (conversationId: number, message: string, more: object = {}) =>
    api.call(replyToConversation, { params: { conversationId }, body: { message, ...more } });
  const row = await app.ctx.db.selectFrom('phones').selectAll().where('id', '=', phone.id).executeTakeFirstOrThrow();
  const receiving = { accountId: customer.id, projectId: project.id, phoneId: phone.id, number: row.number ?? '' };
  let lastId = 0;
  const receive = (peer: Peer, text: string, { isFromHandset = false, senderName = 'Adadada', edits = '' } = {}) =>
    receiveMessage(app.ctx, receiving, {
      networkId: `NET${(lastId += 1)}`,
      peer,
      isFromHandset,
      senderName,
      at: new Date(),
      content: edits === '' ? { type: 'text', text } : { type: 'edit', target: edits, text },
    });
  return { customer, api, project, phone, write, list, counts, only, change, thread, reply, receive };
}

test('an incoming message begins a conversation, unread and under the name of the profile', async () => {
  const { api, write, list, counts } = await inboxScene();
  const { body: profile } = await api.call(createProfile, { body: { phone: ada, name: 'Ada' } });
  await write(ada, 'Hello?');
  await write(ada, 'Anybody?');
  await write(bo, 'Hi');
  const [second, first] = await list();
  expect(second).toMatchObject({ phone: bo, name: null, profile_id: null, unread_count: 1 });
  expect(first).toMatchObject({
    phone: ada,
    name: 'Ada',
    profile_id: profile.id,
    unread_count: 2,
    status: 'open',
    last_message: { message: 'Anybody?', direction: 'incoming' },
  });
  expect(await counts()).toEqual({ unread: 2, unread_messages: 3, open: 2, mine: 0, unassigned: 2, snoozed: 0 });
});

test('somebody without a profile has the name of the network, and both ways to write a number are one', async () => {
  const { receive, list } = await inboxScene();
  await receive({ number: '5511987654321' }, 'Oi');
  await receive({ number: '551187654321' }, 'Oi de novo');
  expect(await list()).toMatchObject([{ name: 'Adadada', phone: '551187654321', unread_count: 2 }]);
});

test('reading leaves unread what came after the message that was seen', async () => {
  const { write, only, change, counts } = await inboxScene();
  const seen = await write(ada, 'One');
  await write(ada, 'Two');
  const { id } = await only();
  expect((await change(id, { read: true, read_up_to: seen.id })).body.unread_count).toBe(1);
  expect((await change(id, { read: true })).body.unread_count).toBe(0);
  expect((await change(id, { read: false })).body.unread_count).toBe(1);
  expect(await counts()).toMatchObject({ unread: 1, unread_messages: 1 });
});

test('a conversation that is done opens again with the next message, and filters tell them apart', async () => {
  const { write, only, list, change } = await inboxScene();
  await write(ada, 'One');
  const { id } = await only();
  await change(id, { read: true, status: 'done' });
  expect(await list({ status: 'open' })).toEqual([]);
  expect(await list({ status: 'unread' })).toEqual([]);
  expect(await list({ status: 'done' })).toMatchObject([{ id }]);
  await write(ada, 'Two');
  expect(await list({ status: 'open' })).toMatchObject([{ id, unread_count: 1 }]);
});

test('the message of a program moves a conversation up, or begins a conversation that is done until the person writes', async () => {
  const { api, project, write, list } = await inboxScene();
  await write(ada, 'One');
  await write(bo, 'Two');
  const withKey = api.as({ 'x-auth-key': project.auth_key });
  await withKey.call(sendMessage, { headers: {}, body: { to: cem, message: 'To Cem' } });
  await withKey.call(sendMessage, { headers: {}, body: { to: ada, message: 'To Ada' } });
  expect(await list()).toMatchObject([
    { phone: ada, status: 'open', unread_count: 1, last_message: { message: 'To Ada' } },
    { phone: cem, status: 'done', unread_count: 0, last_message: { message: 'To Cem' } },
    { phone: bo },
  ]);
  await write(cem, 'Thanks');
  expect(await list({ status: 'open' })).toMatchObject([
    { phone: cem, unread_count: 1 },
    { phone: ada },
    { phone: bo },
  ]);
});

test('open pages are told of a conversation that a program begins, and of each that it moves up', async () => {
  const { customer, api, project, list } = await inboxScene();
  const told: LiveEvent[] = [];
  const stop = subscribeLive(app.ctx, (event) => void told.push(event), { accountId: customer.id });
  const withKey = api.as({ 'x-auth-key': project.auth_key });
  await withKey.call(sendMessage, { headers: {}, body: { to: ada, message: 'One' } });
  const [begun] = await list();
  const event = { type: 'conversations.changed', project_id: project.id, conversation_id: begun?.id };
  const toldOfIt = () => told.filter(({ type }) => type === 'conversations.changed');
  await expect.poll(toldOfIt).toEqual([event]);
  await withKey.call(sendMessage, { headers: {}, body: { to: ada, message: 'Two' } });
  await expect.poll(toldOfIt).toEqual([event, event]);
  stop();
});

test('a conversation that two begin at the same moment is one, with the later message on top', async () => {
  const { customer, api, project } = await inboxScene();
  const withKey = api.as({ 'x-auth-key': project.auth_key });
  const { body: message } = await withKey.call(sendMessage, { headers: {}, body: { to: bo, message: 'To Bo' } });
  const sent = (id: number) => ({
    type: 'message.sent' as const,
    accountId: customer.id,
    projectId: project.id,
    at: new Date(),
    data: { ...message, id, to: ada },
  });
  const hasBegun = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const [older, newer] = [message.id + 1, message.id + 2];
  const first = inTransaction(app.ctx, async (tx) => {
    await followConversations(tx, [sent(older)]);
    // Nobody reads its answer: it goes with what follows.
    await sql`select`.execute(tx.db);
    hasBegun.resolve();
    await goOn.promise;
  });
  await hasBegun.promise;
  const second = inTransaction(app.ctx, (tx) => followConversations(tx, [sent(newer)]));
  await untilSomebodyWaits(app.ctx.pool);
  goOn.resolve();
  await Promise.all([first, second]);
  const rows = await app.ctx.db
    .selectFrom('conversations')
    .select(['last_message_id', 'status'])
    .where('project_id', '=', project.id)
    .where('phone', '=', ada)
    .execute();
  expect(rows).toEqual([{ last_message_id: newer, status: 'done' }]);
});

test('a message from the handset marks the conversation read, or begins it', async () => {
  const { write, receive, list } = await inboxScene();
  await write(ada, 'One');
  await receive({ number: ada }, 'Answered', { isFromHandset: true });
  await receive({ number: bo }, 'First', { isFromHandset: true });
  expect(await list()).toMatchObject([
    { phone: bo, unread_count: 0 },
    { phone: ada, unread_count: 0, last_message: { source: 'handset' } },
  ]);
});

test('a reply goes through the phone that the person wrote to, and its conversation is read', async () => {
  const { api, project, customer, write, only, reply } = await inboxScene();
  const other = await connectSandboxPhone(customer, project.id, { priority: 9 });
  await write(ada, 'One');
  const { id, phone_id: phoneId } = await only();
  expect(phoneId).not.toBe(other.id);
  const { status, body } = await reply(id, 'Two');
  expect([status, body]).toMatchObject([201, { phone_id: phoneId, to: ada, source: 'inbox', message: 'Two' }]);
  expect(await only()).toMatchObject({ unread_count: 0, last_message: { id: body.id } });
  await vi.waitUntil(
    async () => (await api.call(getMessage, { params: { messageId: body.id } })).body.status === 'read',
    patience,
  );
});

test('where that phone cannot send, the conversation says why and a reply is refused', async () => {
  const { api, customer, project, phone, write, only, reply } = await inboxScene();
  await connectSandboxPhone(customer, project.id);
  await write(ada, 'One');
  const { id } = await only();
  await api.call(disconnectPhone, { params: { phoneId: phone.id } });
  const detail = async () => (await api.call(getConversation, { params: { conversationId: id } })).body;
  await vi.waitUntil(async () => !(await detail()).sending.can_send, patience);
  expect((await detail()).sending).toMatchObject({
    reason: 'no_connected_phone',
    message: 'The phone number that this person wrote to is not connected',
  });
  const refuse = () => api.refuse(replyToConversation, { params: { conversationId: id }, body: { message: 'Two' } });
  expect((await refuse()).body.code).toBe('no_connected_phone');
  // Nobody can link a phone again that is gone: then any of the project's will do.
  await api.call(deletePhoneNumber, { params: { phoneId: phone.id } });
  expect((await detail()).sending.can_send).toBe(true);
  expect((await reply(id, 'Two')).status).toBe(201);
});

test('a reply to somebody who opted out needs the word that it is meant', async () => {
  const { api, write, only, reply } = await inboxScene();
  await write(ada, 'One');
  await api.call(addSuppression, { body: { phone: ada } });
  const conversation = await only();
  expect(conversation.opted_out).toBe(true);
  const params = { conversationId: conversation.id };
  expect((await api.refuse(replyToConversation, { params, body: { message: 'Two' } })).body.code).toBe('opted_out');
  expect((await reply(conversation.id, 'Two', { override_opt_out: true })).status).toBe(201);
});

test('a person who seems to want to opt out is marked until that is dismissed, or a word that opts out or in comes', async () => {
  const { api, list, receive, change } = await inboxScene();
  const mark = async () => {
    const [conversation] = await list();
    return [conversation?.may_want_to_opt_out, conversation?.opted_out];
  };
  await receive({ number: ada }, 'Hello');
  expect(await mark()).toEqual([false, false]);
  await receive({ number: ada }, 'Please stop');
  await receive({ number: ada }, 'Hello?');
  expect(await mark()).toEqual([true, false]);
  const [{ id } = { id: 0 }] = await list();
  expect((await change(id, { may_want_to_opt_out: false })).body).toMatchObject({ may_want_to_opt_out: false });
  await receive({ number: ada }, '🛑');
  expect(await mark()).toEqual([true, false]);
  await api.call(addSuppression, { body: { phone: ada } });
  expect(await mark()).toEqual([false, true]);
  await receive({ number: ada }, 'START');
  expect(await mark()).toEqual([false, false]);
  await receive({ number: ada }, 'leave me alone');
  await receive({ number: ada }, 'STOP');
  expect(await mark()).toEqual([false, true]);
  await receive({ number: ada }, 'leave me alone', { isFromHandset: true });
  await receive({ number: ada }, 'START');
  expect(await mark()).toEqual([false, false]);
});

test('new wording marks the conversation as a new message does, and leaves it where and as read as it is', async () => {
  const { list, receive, change } = await inboxScene();
  await receive({ number: ada }, 'Hello');
  await receive({ number: bo }, 'Hello');
  const id = (await list()).find(({ phone }) => phone === ada)?.id ?? 0;
  await change(id, { read: true, status: 'done' });
  await receive({ number: ada }, 'Please stop', { edits: 'NET1' });
  const conversations = await list();
  expect(conversations.map(({ phone }) => phone)).toEqual([bo, ada]);
  expect(conversations[1]).toMatchObject({ may_want_to_opt_out: true, unread_count: 0, status: 'done' });
  await receive({ number: ada }, 'Hello again', { edits: 'NET1' });
  expect((await list())[1]).toMatchObject({ may_want_to_opt_out: true });
  await receive({ number: bo }, 'Please stop', { edits: 'NET2', isFromHandset: true });
  expect((await list())[0]).toMatchObject({ may_want_to_opt_out: false });
});

test('a reply quotes, a reaction stands on the message that it is about, and neither is lost in the thread', async () => {
  const { write, only, reply, thread, api } = await inboxScene();
  const question = await write(ada, 'Open?');
  const { id } = await only();
  const { body: answer } = await reply(id, 'Yes', { reply_to: question.id });
  expect(answer.reply_to).toBe(question.id);
  const reaction = { type: 'reaction', reaction: { message_id: question.id, emoji: '👍' } } as const;
  await api.call(replyToConversation, { params: { conversationId: id }, body: reaction });
  await vi.waitUntil(async () => (await thread(id)).data.at(-1)?.reactions[0]?.emoji === '👍', patience);
  const { data, quoted } = await thread(id, { limit: 1 });
  expect([data.map(({ message }) => message), quoted.map(({ message }) => message)]).toEqual([['Yes'], ['Open?']]);
  expect((await only()).last_message?.id).toBe(answer.id);
  const stranger = await api.refuse(replyToConversation, {
    params: { conversationId: id },
    body: { message: 'Yes', reply_to: 1 },
  });
  expect(stranger.body.errors?.[0]?.path).toBe('reply_to');
});

test('a thread has all that was written either way, page by page', async () => {
  const { write, only, reply, thread } = await inboxScene();
  for (const text of ['1', '2', '3']) await write(ada, text);
  await write(bo, 'Not here');
  await write(ada, '4');
  const { id } = await only();
  await reply(id, '5');
  const first = await thread(id, { limit: 2 });
  const second = await thread(id, { limit: 3, after: first.next_cursor });
  expect([...first.data, ...second.data].map(({ message }) => message)).toEqual(['5', '4', '3', '2', '1']);
  expect(second.next_cursor).toBeNull();
});

test('a person who hides the number is answered and asked for it, and keeps one conversation once it is learnt', async () => {
  const { receive, list, reply, thread, api } = await inboxScene();
  const written = await receive({ lid: '7700077' }, 'Hidden');
  const [hidden] = await list();
  expect(hidden).toMatchObject({ phone: null, lid: '7700077', name: 'Adadada', unread_count: 1 });
  const conversationId = hidden?.id ?? 0;
  expect((await reply(conversationId, 'Hi', { reply_to: written?.id })).body).toMatchObject({
    to: null,
    from_lid: '7700077',
    reply_to: written?.id,
  });
  const asking = { params: { conversationId }, body: { type: 'number_request' } as const };
  expect((await api.call(replyToConversation, asking)).body).toMatchObject({ type: 'number_request', message: '' });
  expect((await thread(conversationId)).data.map(({ type }) => type)).toEqual(['number_request', 'text', 'text']);
  expect(await list()).toMatchObject([
    { id: conversationId, unread_count: 0, last_message: { type: 'number_request' } },
  ]);
  await receive({ number: ada, lid: '7700077' }, 'Shown');
  expect(await list()).toMatchObject([{ id: conversationId, phone: ada, lid: null, unread_count: 1 }]);
  expect((await thread(conversationId)).data.map(({ to, from }) => [to, from].includes(ada))).toEqual(
    Array.from({ length: 4 }, () => true),
  );
  expect((await reply(conversationId, 'Hi')).body.to).toBe(ada);
  const refused = await api.refuse(replyToConversation, asking);
  expect(refused.body.errors).toEqual([{ path: 'type', message: 'The number of this person is known' }]);
});

test('webhooks are told when a person goes by another name, and when their number is learnt', async () => {
  const { receive, project, api } = await inboxScene('https://example.com/hook');
  const { body: profile } = await api.call(createProfile, { body: { phone: ada } });
  await receive({ lid: '7700078' }, 'Hidden', { senderName: 'Ada' });
  await receive({ lid: '7700078' }, 'Hidden', { senderName: 'Ada' });
  await receive({ lid: '7700078' }, 'Hidden', { senderName: 'Ada L.' });
  await receive({ number: ada, lid: '7700078' }, 'Shown', { senderName: 'Ada L.' });
  await receive({ number: ada }, 'Again', { senderName: 'Countess' });
  const { rows } = await app.ctx.pool.query<{ data: unknown }>(
    `select unpacked_json(payload)::jsonb -> 'data' as data from webhook_records where project_id = $1 and type = 'contact.changed' order by id`,
    [project.id],
  );
  expect(rows.map(({ data }) => data)).toMatchObject([
    { phone: null, lid: '7700078', profile_id: null, name: 'Ada L.', changed: ['name'] },
    { phone: ada, lid: '7700078', profile_id: profile.id, name: 'Ada L.', changed: ['number'] },
    { phone: ada, lid: null, profile_id: profile.id, name: 'Countess', changed: ['name'] },
  ]);
});

test('a hidden person whose number has a conversation becomes part of it', async () => {
  const { receive, write, list, thread } = await inboxScene();
  await write(ada, 'Known');
  await receive({ lid: '78' }, 'Hidden');
  expect(await list()).toHaveLength(2);
  await receive({ number: ada, lid: '78' }, 'Shown');
  const [joined, ...others] = await list();
  expect(others).toEqual([]);
  expect(joined).toMatchObject({ phone: ada, unread_count: 3 });
  expect((await thread(joined?.id ?? 0)).data.map(({ message }) => message)).toEqual(['Shown', 'Hidden', 'Known']);
});

test('search finds names and numbers', async () => {
  const { api, write, receive, list } = await inboxScene();
  await api.call(createProfile, { body: { phone: ada, name: 'Ada Lovelace' } });
  await write(ada, 'One');
  await receive({ number: bo }, 'Two', { senderName: 'Bo' });
  expect(await list({ search: 'loveL' })).toMatchObject([{ phone: ada }]);
  expect(await list({ search: 'bo' })).toMatchObject([{ phone: bo }]);
  expect(await list({ search: '+1 (415) 555-0132' })).toMatchObject([{ phone: ada }]);
  expect(await list({ search: '%' })).toEqual([]);
});

test('a number can be written to before it has written; opening it twice is one conversation', async () => {
  const { api, project, list, reply } = await inboxScene();
  const open = async () =>
    (await api.call(openConversation, { body: { project_id: project.id, phone: '+1 415 555 0132' } })).body;
  const opened = await open();
  expect(opened).toMatchObject({ phone: ada, last_message: null, unread_count: 0, sending: { can_send: true } });
  expect((await open()).id).toBe(opened.id);
  expect((await reply(opened.id, 'Hello')).status).toBe(201);
  expect(await list()).toMatchObject([{ id: opened.id, last_message: { message: 'Hello' } }]);
});

test('a conversation that several open at once is one', async () => {
  const { api, project, list } = await inboxScene();
  const open = async () =>
    (await api.call(openConversation, { body: { project_id: project.id, phone: '+1 415 555 0132' } })).body.id;
  const ids = await Promise.all(Array.from({ length: 8 }, open));
  expect(new Set(ids).size).toBe(1);
  expect(await list({ search: '4155550132' })).toMatchObject([{ id: ids[0] }]);
});

test('a project key sees its project alone, and needs the scope for what it does', async () => {
  const { api, project, write, only } = await inboxScene();
  const other = await inboxScene();
  await other.write(bo, 'Theirs');
  await write(ada, 'Ours');
  const { id } = await only();
  const { body: key } = await api.call(createProjectKey, {
    params: { projectId: project.id },
    body: { name: 'Reader', scopes: ['messages:read'] },
  });
  const reader = api.as({ authorization: '', 'x-auth-key': key.key });
  expect((await reader.call(listConversations, { query: {} })).body.data).toMatchObject([{ id }]);
  expect((await reader.call(countConversations, { query: {} })).body.unread).toBe(1);
  const change = { params: { conversationId: id }, body: { read: true } };
  expect((await reader.refuse(updateConversation, change)).body.code).toBe('missing_scope');
  const theirs = (await other.only()).id;
  expect((await reader.refuse(getConversation, { params: { conversationId: theirs } })).status).toBe(404);
  const stranger = { project_id: other.project.id };
  expect((await api.refuse(listConversations, { query: stranger })).status).toBe(404);
});

test('messages from before there were conversations are taken over, as read, step by step', async () => {
  const { api, project, write, list, counts } = await inboxScene();
  await api.call(createProfile, { body: { phone: ada, name: 'Ada' } });
  await write(ada, 'Old');
  await write(bo, 'Older still');
  // As many more as one step goes through, of a campaign's kind.
  await sql`
    insert into messages (account_id, project_id, direction, recipient, sender, body, status, created_at, source)
    select account_id, project_id, 'outgoing', '14155550177', sender, 'Hi', 'sent', created_at, 'api'
      from messages cross join generate_series(1, 1500) where project_id = ${project.id}
  `.execute(app.ctx.db);
  await sql`delete from conversations where project_id = ${project.id}`.execute(app.ctx.db);
  await sql`insert into conversation_backfill (account_id, project_id)
            select account_id, id from projects where id = ${project.id}`.execute(app.ctx.db);
  await takeOverConversations(app.ctx);
  expect(await list()).toMatchObject([
    { phone: bo, unread_count: 0, last_message: { message: 'Older still' } },
    { phone: ada, name: 'Ada' },
  ]);
  expect(await counts()).toEqual({ unread: 0, unread_messages: 0, open: 2, mine: 0, unassigned: 2, snoozed: 0 });
  const left = await app.ctx.db.selectFrom('conversation_backfill').selectAll().execute();
  expect(left.filter(({ project_id: projectId }) => projectId === project.id)).toEqual([]);
});
