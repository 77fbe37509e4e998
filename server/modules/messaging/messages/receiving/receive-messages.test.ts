import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConversations } from '#contracts/conversations.ts';
import { listMessages } from '#contracts/messages.ts';
import { listSuppressions } from '#contracts/suppressions.ts';
import type { IncomingContent, IncomingMessage } from '#server/connectors/messaging/port.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { receiveMessages } from './receive-messages.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

const [ana, rui] = ['5511955551111', '5511955552222'];
const text = (words: string): IncomingContent => ({ type: 'text', text: words });

function message(networkId: string, content: IncomingContent, more: Partial<IncomingMessage> = {}): IncomingMessage {
  return { networkId, peer: { number: ana }, isFromHandset: false, at: new Date(), content, ...more };
}

async function receivingPhone() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'https://example.com/hook');
  const { id: phoneId, phone_number: number } = await connectSandboxPhone(customer, project.id);
  const { account_id: accountId } = await app.ctx.db
    .selectFrom('projects')
    .select('account_id')
    .where('id', '=', project.id)
    .executeTakeFirstOrThrow();
  const params = { projectId: project.id };
  return {
    receive: (...messages: IncomingMessage[]) =>
      receiveMessages(app.ctx, { accountId, projectId: project.id, phoneId, number: number ?? '' }, messages),
    /** Oldest first. */
    records: async () => (await customer.api.call(listMessages, { params, query: {} })).body.data.toReversed(),
    conversations: async () =>
      (await customer.api.call(listConversations, { query: { project_id: project.id } })).body.data,
    optedOut: async () =>
      (await customer.api.call(listSuppressions, { query: {} })).body.data.map(({ phone }) => phone),
    webhooks: async () => {
      const rows = await app.ctx.db
        .selectFrom('webhook_records')
        .select(['type', 'message_id'])
        .where('project_id', '=', project.id)
        .where('message_id', 'is not', null)
        .orderBy('sequence')
        .execute();
      return rows.map(({ type, message_id: id }) => [type, id]);
    },
    transactions: async () => {
      const { rows } = await sql<{ count: number }>`
        select count(distinct xmin::text)::int as count from messages
         where account_id = ${accountId} and project_id = ${project.id}`.execute(app.ctx.db);
      return rows[0]?.count;
    },
  };
}

test('messages that come together are stored in one transaction, each in its order, with its own webhook', async () => {
  const { receive, records, conversations, webhooks, transactions } = await receivingPhone();
  const stored = await receive(
    message('1', text('Hello')),
    message('2', text('Good day'), { peer: { number: rui }, senderName: 'Rui' }),
    message('3', { type: 'location', text: '', location: { latitude: 1, longitude: 2, name: null, address: null } }),
    message('4', text('Are you there?'), { replyTo: '1' }),
  );
  expect(await transactions()).toBe(1);
  const found = await records();
  expect(found).toMatchObject([
    { from: ana, message: 'Hello', status: 'delivered', reply_to: null },
    { from: rui, message: 'Good day' },
    { from: ana, type: 'location', location: { latitude: 1 } },
    { from: ana, message: 'Are you there?', reply_to: found[0]?.id },
  ]);
  expect(stored).toEqual(found);
  expect(await webhooks()).toEqual(found.map(({ id }) => ['message.received', id]));
  expect(await conversations()).toMatchObject([
    { phone: ana, unread_count: 3, status: 'open', last_message: { message: 'Are you there?' } },
    { phone: rui, unread_count: 1, status: 'open', name: 'Rui' },
  ]);
});

test('changes, words and people who are learnt among them have their turn, and nothing overtakes them', async () => {
  const { receive, records, webhooks, optedOut } = await receivingPhone();
  await receive(
    message('1', text('Helo'), { peer: { lid: '777' } }),
    message('2', text('Hello'), { peer: { number: ana, lid: '777' } }),
    message('3', { type: 'edit', target: '2', text: 'Hello!' }, { peer: { number: ana, lid: '777' } }),
    message('4', text('STOP'), { peer: { number: rui } }),
    message('5', text('How are you?')),
    message('6', text('by hand'), { isFromHandset: true }),
    message('7', text('Fine')),
  );
  // Without the text that confirms the opt-out.
  const found = (await records()).filter(({ direction, source }) => direction === 'incoming' || source === 'handset');
  const ids = Object.fromEntries(found.map(({ message: words, id }) => [words, id]));
  expect(found.map(({ from, message: words }) => [from === null ? 'nobody' : from, words])).toMatchObject([
    [ana, 'Helo'],
    [ana, 'Hello!'],
    [rui, 'STOP'],
    [ana, 'How are you?'],
    [expect.any(String), 'by hand'],
    [ana, 'Fine'],
  ]);
  expect(await optedOut()).toEqual([rui]);
  const told = await webhooks();
  expect(told.filter(([, id]) => found.some((record) => record.id === id))).toEqual([
    ['message.received', ids['Helo']],
    ['message.received', ids['Hello!']],
    ['message.edited', ids['Hello!']],
    ['message.received', ids['STOP']],
    ['message.received', ids['How are you?']],
    ['message.sent', ids['by hand']],
    ['message.received', ids['Fine']],
  ]);
});

test('messages that were taken before, or stand there twice, are stored once; one that waited is filled', async () => {
  const { receive, records } = await receivingPhone();
  await receive(message('1', text('one')), message('2', text('two')));
  await receive(message('3', { type: 'waiting', text: '' }));
  const again = await receive(
    message('1', text('one')),
    message('3', text('three')),
    message('4', text('four')),
    message('4', text('four')),
  );
  expect((await records()).map(({ message: words }) => words)).toEqual(['one', 'two', 'three', 'four']);
  expect(again.map((stored) => stored?.message)).toEqual([undefined, 'three', 'four', undefined]);
});

test('a message that cannot be stored leaves nothing of those beside it, which are stored without it', async () => {
  const { receive, records, conversations } = await receivingPhone();
  const [one, bad, two] = [message('1', text('one')), message('2', text('\0')), message('3', text('two'))];
  await expect(receive(one, bad, two)).rejects.toThrow(/invalid byte sequence/);
  expect(await records()).toEqual([]);
  await receive(one, two);
  expect((await records()).map(({ message: words }) => words)).toEqual(['one', 'two']);
  expect(await conversations()).toMatchObject([{ unread_count: 2 }]);
});
