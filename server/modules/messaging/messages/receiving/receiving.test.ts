import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { getMessage, listMessages } from '#contracts/messages.ts';
import type { IncomingContent, IncomingMessage } from '#server/connectors/messaging/port.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { withoutFileSource } from '../content/details.ts';
import { receiveMessage } from './receive-message.ts';
import { announceWaiting } from './waiting-messages.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

const contact = '5511955551111';
const text = (words: string): IncomingContent => ({ type: 'text', text: words });

async function receivingPhone() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'https://example.com/hook');
  const phone = await connectSandboxPhone(customer, project.id);
  const row = await app.ctx.db.selectFrom('phones').selectAll().where('id', '=', phone.id).executeTakeFirstOrThrow();
  const receiving = {
    accountId: row.account_id,
    projectId: row.project_id,
    phoneId: row.id,
    number: row.number ?? '',
  };
  let lastId = 0;
  const receive = (content: IncomingContent, more: Partial<IncomingMessage> = {}) =>
    receiveMessage(app.ctx, receiving, {
      networkId: `NET${(lastId += 1)}`,
      peer: { number: contact },
      isFromHandset: false,
      at: new Date(),
      content,
      ...more,
    });
  const params = { projectId: project.id };
  const records = async () => (await customer.api.call(listMessages, { params, query: {} })).body.data;
  const read = async (id: number) => (await customer.api.call(getMessage, { params: { messageId: id } })).body;
  const events = async () => {
    const rows = await app.ctx.db
      .selectFrom('webhook_records')
      .select('type')
      .where('project_id', '=', project.id)
      .orderBy('id')
      .execute();
    return rows.map(({ type }) => type).filter((type) => type.startsWith('message.'));
  };
  const allEvents = async () => {
    const rows = await app.ctx.db
      .selectFrom('webhook_records')
      .select('type')
      .where('project_id', '=', project.id)
      .execute();
    return rows.map(({ type }) => type);
  };
  return { receive, records, read, events, allEvents, number: receiving.number };
}

const picture: IncomingContent = {
  type: 'image',
  text: 'Look',
  media: { mimeType: 'image/jpeg', fileName: null, size: 12, sha256: null, source: { directPath: '/x' } },
};

test('a picture becomes a record whose bytes are pending, with a webhook', async () => {
  const { receive, read, events } = await receivingPhone();
  const stored = await receive(picture);
  expect(await read(stored?.id ?? 0)).toMatchObject({
    type: 'image',
    message: 'Look',
    direction: 'incoming',
    media: { id: null, mime_type: 'image/jpeg', size: 12, state: 'pending' },
  });
  expect(await events()).toEqual(['message.received']);
});

test.for<[string, IncomingContent, Record<string, unknown>]>([
  [
    'a place',
    { type: 'location', text: '', location: { latitude: 1, longitude: 2, name: 'Shop', address: null } },
    { type: 'location', location: { latitude: 1, longitude: 2, name: 'Shop', address: null } },
  ],
  [
    'a contact card',
    { type: 'contact', text: '', contacts: [{ name: 'Ana', phones: [] }] },
    { type: 'contact', contacts: [{ name: 'Ana', phones: [] }] },
  ],
  [
    'what cannot be shown',
    { type: 'unsupported', text: 'Which?', protocolType: 'pollCreationMessage' },
    { type: 'unsupported', message: 'Which?', protocol_type: 'pollCreationMessage' },
  ],
  [
    'an order',
    {
      type: 'order',
      text: 'Please',
      order: { id: '7', title: 'Order 7', item_count: 2, amount: '12.50', currency: 'EUR' },
    },
    { type: 'order', message: 'Please', order: { id: '7', amount: '12.50', currency: 'EUR' } },
  ],
  [
    'a request for money',
    { type: 'payment', text: '', payment: { kind: 'request', amount: '5.00', currency: 'BRL' } },
    { type: 'payment', payment: { kind: 'request', amount: '5.00' } },
  ],
])('%s becomes a record', async ([, content, expected]) => {
  const { receive, records } = await receivingPhone();
  await receive(content);
  expect(await records()).toMatchObject([expected]);
});

test('a message from the handset is outgoing, sent and from the handset', async () => {
  const { receive, records, events, number } = await receivingPhone();
  await receive(text('by hand'), { isFromHandset: true });
  expect(await records()).toMatchObject([
    { direction: 'outgoing', source: 'handset', from: number, to: contact, status: 'sent', message: 'by hand' },
  ]);
  expect(await events()).toEqual(['message.sent']);
});

test('the same message twice is one record', async () => {
  const { receive, records } = await receivingPhone();
  await receive(text('once'), { networkId: 'SAME' });
  expect(await receive(text('once'), { networkId: 'SAME' })).toBeUndefined();
  expect(await records()).toHaveLength(1);
});

test('a sender known by the LID alone is recorded, and gets the number once it is known', async () => {
  const { receive, records } = await receivingPhone();
  await receive(text('who am I'), { peer: { lid: '777' } });
  expect(await records()).toMatchObject([{ from: null, from_lid: '777', message: 'who am I' }]);
  await receive(text('me'), { peer: { number: contact, lid: '777' } });
  expect((await records()).map(({ from }) => from)).toEqual([contact, contact]);
});

test.for<[string, boolean]>([
  ['from its sender', false],
  ["from the owner's handset", true],
])('a copy %s that comes once the number is known is no second record', async ([, isFromHandset]) => {
  const { receive, records } = await receivingPhone();
  await receive(text('who am I'), { peer: { lid: '777' }, isFromHandset, networkId: 'SAME' });
  const peer = { number: contact, lid: '777' };
  expect(await receive(text('who am I'), { peer, isFromHandset, networkId: 'SAME' })).toBeUndefined();
  expect(await receive(text('who am I'), { peer, isFromHandset: !isFromHandset, networkId: 'SAME' })).toBeDefined();
  expect(await records()).toHaveLength(2);
});

test('reactions, edits and deletions change the message they name, with a webhook each', async () => {
  const { receive, read, events } = await receivingPhone();
  const stored = await receive(text('Helo'), { networkId: 'TARGET' });
  await receive({ type: 'reaction', target: 'TARGET', emoji: '👍' });
  await receive({ type: 'reaction', target: 'TARGET', emoji: '❤️' });
  await receive({ type: 'reaction', target: 'TARGET', emoji: '🙏' }, { isFromHandset: true });
  await receive({ type: 'edit', target: 'TARGET', text: 'Hello' });
  const changed = await read(stored?.id ?? 0);
  expect(changed).toMatchObject({
    message: 'Hello',
    edited_at: expect.any(String) as string,
    reactions: [
      { emoji: '❤️', from_me: false },
      { emoji: '🙏', from_me: true },
    ],
  });
  await receive({ type: 'reaction', target: 'TARGET', emoji: '' });
  await receive({ type: 'revocation', target: 'TARGET' });
  expect(await read(stored?.id ?? 0)).toMatchObject({
    deleted_at: expect.any(String) as string,
    reactions: [{ from_me: true }],
  });
  const told = await events();
  expect(told.filter((type) => type === 'message.reaction')).toHaveLength(4);
  expect(told).toContain('message.edited');
  expect(told).toContain('message.deleted');
});

test('an older change of the contact that comes late changes and tells nothing', async () => {
  const { receive, read, events } = await receivingPhone();
  const now = Date.now();
  const secondsAgo = (seconds: number) => ({ at: new Date(now - seconds * 1_000) });
  const stored = await receive(text('Helo'), { networkId: 'TARGET', ...secondsAgo(60) });
  await receive({ type: 'edit', target: 'TARGET', text: 'Hello!' }, secondsAgo(20));
  await receive({ type: 'edit', target: 'TARGET', text: 'Hello' }, secondsAgo(30));
  await receive({ type: 'reaction', target: 'TARGET', emoji: '' }, secondsAgo(20));
  await receive({ type: 'reaction', target: 'TARGET', emoji: '👍' }, secondsAgo(30));
  expect(await read(stored?.id ?? 0)).toMatchObject({ message: 'Hello!', reactions: [] });
  await receive({ type: 'reaction', target: 'TARGET', emoji: '❤️' }, secondsAgo(10));
  await receive({ type: 'reaction', target: 'TARGET', emoji: '🙏' }, secondsAgo(15));
  expect((await read(stored?.id ?? 0)).reactions).toMatchObject([{ emoji: '❤️' }]);
  const poll = { question: 'Which?', options: ['Red', 'Blue'], multiple: true };
  const asked = await receive({ type: 'poll', text: 'Which?', poll }, { networkId: 'POLL', ...secondsAgo(60) });
  const votesOf = async () => (await read(asked?.id ?? 0)).poll?.votes;
  await receive({ type: 'vote', target: 'POLL', hashes: [] }, secondsAgo(20));
  await receive({ type: 'vote', target: 'POLL', hashes: [hashOf('Red')] }, secondsAgo(30));
  expect(await votesOf()).toEqual([]);
  await receive({ type: 'vote', target: 'POLL', hashes: [hashOf('Blue')] }, secondsAgo(10));
  await receive({ type: 'vote', target: 'POLL', hashes: [hashOf('Red')] }, secondsAgo(15));
  expect(await votesOf()).toMatchObject([{ options: ['Blue'] }]);
  expect(await events()).toEqual([
    'message.received',
    'message.edited',
    'message.reaction',
    'message.reaction',
    'message.received',
    'message.poll_vote',
    'message.poll_vote',
  ]);
});

test('a message that was deleted stays so: a late edit and another deletion change and tell nothing', async () => {
  const { receive, read, events } = await receivingPhone();
  const stored = await receive(text('Secret'), { networkId: 'TARGET' });
  await receive({ type: 'revocation', target: 'TARGET' });
  const deleted = await read(stored?.id ?? 0);
  await receive({ type: 'edit', target: 'TARGET', text: 'Other' });
  await receive({ type: 'revocation', target: 'TARGET' });
  expect(await read(stored?.id ?? 0)).toEqual(deleted);
  expect(await events()).toEqual(['message.received', 'message.deleted']);
});

test('an edit mentions whom its wording names, and brings the preview of its link', async () => {
  const { receive, read } = await receivingPhone();
  const nothing = { button: null, referral: null, forwarded: false, view_once: false, album: null, broadcast: false };
  const context = { ...nothing, mentions: ['5511988887701'], play_as: null, preview: null };
  const mentionsOf = async (id = 0) => (await read(id)).context?.mentions;
  const edit = (target: string, mentions?: string[]) =>
    receive({ type: 'edit', target, text: 'Hello @1', ...(mentions && { context: { ...context, mentions } }) });
  const plain = await receive(text('Hello'), { networkId: 'PLAIN' });
  await edit('PLAIN', ['5511988887702']);
  expect(await mentionsOf(plain?.id)).toEqual(['5511988887702']);
  const marked = await receive(text('Hello @1'), { networkId: 'MARKED', context });
  await edit('MARKED', ['5511988887703']);
  expect(await mentionsOf(marked?.id)).toEqual(['5511988887703']);
  await edit('MARKED');
  expect(await mentionsOf(marked?.id)).toEqual([]);
  await edit('EARLY', ['5511988887704']);
  const early = await receive(text('Hello @1'), { networkId: 'EARLY', context });
  expect(early?.context?.mentions).toEqual(['5511988887704']);
  const link = 'https://shop.example/new';
  const preview = { url: link, title: 'New', description: null, picture: null };
  await receive({ type: 'edit', target: 'PLAIN', text: link, context: { ...context, preview } });
  expect((await read(plain?.id ?? 0)).context?.preview).toEqual(preview);
});

test('nobody changes what another wrote, in whichever conversation', async () => {
  const { receive, read } = await receivingPhone();
  const stored = await receive(text('mine'), { networkId: 'TARGET' });
  const own = await receive(text('ours'), { networkId: 'OWN', isFromHandset: true });
  const stranger = { peer: { number: '5511955559999' } };
  await receive({ type: 'edit', target: 'TARGET', text: 'forged' }, stranger);
  await receive({ type: 'revocation', target: 'TARGET' }, stranger);
  await receive({ type: 'reaction', target: 'TARGET', emoji: '👎' }, stranger);
  await receive({ type: 'edit', target: 'OWN', text: 'forged' });
  expect(await read(stored?.id ?? 0)).toMatchObject({ message: 'mine', deleted_at: null, reactions: [] });
  expect(await read(own?.id ?? 0)).toMatchObject({ message: 'ours', edited_at: null });
});

test('an edit that comes before its message is that message, with the new wording and the later file', async () => {
  const { receive, records, events } = await receivingPhone();
  const sentAt = new Date(Date.now() - 60_000);
  await receive({ type: 'edit', target: 'EARLY', text: 'the new wording' });
  await receive(text('the old wording'), { networkId: 'EARLY', at: sentAt });
  const read = await records();
  expect(read).toMatchObject([{ type: 'text', message: 'the new wording', sent_at: sentAt.toISOString() }]);
  expect(read[0]?.edited_at).not.toBeNull();
  await receive({ type: 'edit', target: 'PICTURE', text: 'Look here' });
  await receive(picture, { networkId: 'PICTURE', at: sentAt });
  await receive(picture, { networkId: 'PICTURE', at: sentAt });
  const [shown, ...others] = await records();
  expect(shown).toMatchObject({ type: 'image', message: 'Look here', media: { state: 'pending' } });
  expect(others).toHaveLength(1);
  expect(await events()).toEqual(['message.received', 'message.received']);
});

test('two edits that come before their message leave it its time, its file and the latest wording', async () => {
  const { receive, records } = await receivingPhone();
  const sentAt = new Date(Date.now() - 60_000);
  await receive({ type: 'edit', target: 'PICTURE', text: 'Look' }, { at: new Date(sentAt.getTime() + 10_000) });
  await receive({ type: 'edit', target: 'PICTURE', text: 'Look here' }, { at: new Date(sentAt.getTime() + 20_000) });
  await receive(picture, { networkId: 'PICTURE', at: sentAt });
  const all = await records();
  expect(all).toMatchObject([
    { type: 'image', message: 'Look here', media: { state: 'pending' }, sent_at: sentAt.toISOString() },
  ]);
  expect(all).toHaveLength(1);
});

test('a message that was edited in its own second and comes again stays as it was', async () => {
  const { receive, read } = await receivingPhone();
  const at = new Date(Date.now() - 60_000);
  const stored = await receive(text('first wording'), { networkId: 'QUICK', at });
  await receive({ type: 'edit', target: 'QUICK', text: 'second wording' }, { at });
  const before = await read(stored?.id ?? 0);
  expect(await receive(text('first wording'), { networkId: 'QUICK', at })).toBeUndefined();
  expect(await read(stored?.id ?? 0)).toEqual(before);
});

test('an answer names the message it answers', async () => {
  const { receive, records } = await receivingPhone();
  const first = await receive(text('question'), { networkId: 'Q', isFromHandset: true });
  await receive(text('answer'), { replyTo: 'Q' });
  expect((await records())[0]).toMatchObject({ message: 'answer', reply_to: first?.id });
});

test('a message that was taken back before it came leaves a record without its text', async () => {
  const { receive, records, events } = await receivingPhone();
  await receive({ type: 'revocation', target: 'EARLY' });
  await receive(text('Withdrawn'), { networkId: 'EARLY' });
  await receive({ type: 'revocation', target: 'EARLY' });
  await receive(text('Another'), { networkId: 'EARLY', peer: { number: '5511955552222' } });
  const deleted = { message: '', deleted_at: expect.any(String) as string };
  expect(await records()).toMatchObject([{ message: 'Another', deleted_at: null }, deleted]);
  expect((await events()).filter((type) => type !== 'message.deleted')).toEqual(['message.received']);
  expect(await events()).toContain('message.deleted');
});

const poll: IncomingContent = {
  type: 'poll',
  text: 'Colour?',
  poll: { question: 'Colour?', options: ['Red', 'Blue'], multiple: false },
};
const hashOf = (option: string) => createHash('sha256').update(option).digest('hex');

test('the newest vote of each side stands in the poll, and no option takes it back', async () => {
  const { receive, read, events } = await receivingPhone();
  const stored = await receive(poll, { networkId: 'POLL' });
  const votesOf = async () => (await read(stored?.id ?? 0)).poll?.votes;
  await receive({ type: 'vote', target: 'POLL', hashes: [hashOf('Red')] });
  await receive({ type: 'vote', target: 'POLL', hashes: [hashOf('Blue'), hashOf('Green')] });
  await receive({ type: 'vote', target: 'POLL', hashes: [hashOf('Red')] }, { isFromHandset: true });
  expect(await votesOf()).toMatchObject([
    { from_me: false, options: ['Blue'] },
    { from_me: true, options: ['Red'] },
  ]);
  await receive({ type: 'vote', target: 'POLL', hashes: [] });
  expect(await votesOf()).toMatchObject([{ from_me: true }]);
  expect(await events()).toEqual(['message.received', ...Array.from({ length: 4 }, () => 'message.poll_vote')]);
});

test('a vote that comes once the poll was deleted changes and tells nothing', async () => {
  const { receive, read, events } = await receivingPhone();
  const stored = await receive(poll, { networkId: 'POLL' });
  await receive({ type: 'revocation', target: 'POLL' });
  const deleted = await read(stored?.id ?? 0);
  await receive({ type: 'vote', target: 'POLL', hashes: [hashOf('Red')] });
  expect(await read(stored?.id ?? 0)).toEqual(deleted);
  expect(await events()).toEqual(['message.received', 'message.deleted']);
});

test('a call is a record with an event of its own', async () => {
  const { receive, records, allEvents } = await receivingPhone();
  await receive({ type: 'call', text: '', call: { video: true, outcome: 'missed', duration_s: null } });
  expect(await records()).toMatchObject([{ type: 'call', call: { video: true, outcome: 'missed' } }]);
  expect(await allEvents()).toContain('call.received');
  expect(await allEvents()).not.toContain('message.received');
});

test('the context of a message is kept while its file is fetched', async () => {
  const { receive, read } = await receivingPhone();
  const context = {
    button: null,
    referral: null,
    forwarded: true,
    mentions: ['5511988887777'],
    view_once: false,
    album: null,
    broadcast: false,
    play_as: null,
    preview: null,
  };
  const stored = await receive(picture, { context, secret: 'c2VjcmV0' });
  const id = stored?.id ?? 0;
  await app.ctx.db.updateTable('messages').set({ media_source: withoutFileSource }).where('id', '=', id).execute();
  expect((await read(id)).context).toEqual(context);
  const row = await app.ctx.db.selectFrom('messages').select('media_source').where('id', '=', id).executeTakeFirst();
  expect(row?.media_source).toEqual({ secret: 'c2VjcmV0', details: { context } });
});

test('a sealed edit of a message that is not here is a record that says so', async () => {
  const { receive, records } = await receivingPhone();
  const sealed = { use: 'edit', payload: '', iv: '', authors: '', senders: '' };
  await receive({ type: 'sealed', target: 'GONE', isOfOwn: false, ownSecret: undefined, sealed });
  expect(await records()).toMatchObject([{ type: 'unsupported', protocol_type: 'secretEncryptedMessage' }]);
});

const waiting: IncomingContent = { type: 'waiting', text: '' };

test('an unreadable message is announced once, with its content', async () => {
  const { receive, read, records, events } = await receivingPhone();
  const first = await receive(waiting, { networkId: 'LATE', senderName: 'Ana' });
  expect(await read(first?.id ?? 0)).toMatchObject({ type: 'waiting', message: '', status: 'delivered' });
  expect(await events()).toEqual([]);
  await receive(waiting, { networkId: 'LATE' });
  expect(await receive(text('Here I am'), { networkId: 'LATE' })).toMatchObject({ id: first?.id });
  await receive(text('Here I am'), { networkId: 'LATE' });
  expect(await records()).toMatchObject([{ id: first?.id, type: 'text', message: 'Here I am' }]);
  expect(await events()).toEqual(['message.received']);
});

test('a message unreadable for a minute is announced as waiting, and again when it comes', async () => {
  const { receive, events, records } = await receivingPhone();
  await receive(waiting, { networkId: 'LATER' });
  const { due_at } = await app.ctx.db.selectFrom('waiting_messages').select('due_at').executeTakeFirstOrThrow();
  const at = (ms: number) => ({ ...app.ctx, clock: { now: () => new Date(due_at.getTime() + ms) } });
  expect(await announceWaiting(at(-10))).toBe(10);
  expect(await events()).toEqual([]);
  expect(await announceWaiting(at(0))).toBeUndefined();
  expect(await events()).toEqual(['message.received']);
  await receive(picture, { networkId: 'LATER' });
  expect(await events()).toEqual(['message.received', 'message.edited']);
  expect(await records()).toMatchObject([{ type: 'image', media: { state: 'pending' } }]);
});

test('a change that could not be read at first leaves no record of its own', async () => {
  const { receive, records, events } = await receivingPhone();
  await receive(text('Hello'), { networkId: 'FIRST' });
  await receive(waiting, { networkId: 'CHANGE' });
  await receive({ type: 'edit', target: 'FIRST', text: 'Hello there' }, { networkId: 'CHANGE' });
  expect(await records()).toMatchObject([{ message: 'Hello there' }]);
  expect(await records()).toHaveLength(1);
  expect(await events()).toEqual(['message.received', 'message.edited']);
});

test('an edit of what cannot be read yet outlives the text that comes later', async () => {
  const { receive, records } = await receivingPhone();
  await receive(waiting, { networkId: 'SEALED' });
  await receive({ type: 'edit', target: 'SEALED', text: 'New' });
  await receive(text('Old'), { networkId: 'SEALED' });
  expect(await records()).toMatchObject([{ type: 'text', message: 'New', edited_at: expect.any(String) as string }]);
});
