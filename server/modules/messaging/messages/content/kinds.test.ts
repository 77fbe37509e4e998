import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sendBatch } from '#contracts/message-batches.ts';
import { deleteMessage, getMessage, receiveSandboxMessage, sendMessage } from '#contracts/messages.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';

const to = '14155550123';
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});
afterAll(() => app[Symbol.asyncDispose]());

async function sender() {
  const customer = await signUpSubscriber(app.url);
  const project = await makeProject(customer, 'https://example.com/hook');
  const phone = await connectSandboxPhone(customer, project.id);
  const api = createApiClient(app.url, { 'x-auth-key': project.auth_key });
  const headers = (key?: string) => ({ 'idempotency-key': key });
  return {
    phone,
    project,
    customer,
    api,
    send: async (body: object, key?: string) =>
      (await api.call(sendMessage, { headers: headers(key), body: { to, ...body } })).body,
    refuse: async (body: object, key?: string) => {
      const { status, body: problem } = await api.refuse(sendMessage, { headers: headers(key), body: { to, ...body } });
      return [status, problem.errors ?? problem.code];
    },
    read: async (messageId: number) => (await api.call(getMessage, { params: { messageId } })).body,
    receive: async (message: string, from = to) => {
      const { body } = await customer.api.call(receiveSandboxMessage, {
        params: { phoneId: phone.id },
        body: { from, message },
      });
      return body;
    },
  };
}

const location = { latitude: -23.5, longitude: -46.6, name: 'Loja' };
const contacts = [{ name: 'Ana', phones: [{ phone: '+55 11 98888-7777', type: 'WORK' }] }];

describe('content other than texts', () => {
  test('a place and contact cards are records of their types', async () => {
    const { send } = await sender();
    expect(await send({ type: 'location', location })).toMatchObject({
      type: 'location',
      status: 'sent',
      message: '',
      location: { ...location, address: null },
    });
    expect(await send({ type: 'contact', contacts })).toMatchObject({
      type: 'contact',
      contacts: [{ name: 'Ana', phones: [{ phone: '+55 11 98888-7777', type: 'work' }] }],
    });
  });

  test('an answer names the message, and goes by the phone that it came to', async () => {
    const { customer, project, send, receive, phone } = await sender();
    await connectSandboxPhone(customer, project.id, { priority: 9 });
    const question = await receive('Open on Sunday?');
    expect(await send({ message: 'Hello' })).not.toMatchObject({ phone_id: phone.id });
    const answer = await send({ message: 'Yes', reply_to: question.id });
    expect(answer).toMatchObject({ reply_to: question.id, phone_id: phone.id, type: 'text' });
  });

  test('an answer by a phone that is away is refused, though another could send', async () => {
    const { customer, project, refuse, receive, phone } = await sender();
    await connectSandboxPhone(customer, project.id);
    const question = await receive('Open on Sunday?');
    await app.ctx.db.updateTable('phones').set({ status: 'disconnected' }).where('id', '=', phone.id).execute();
    expect(await refuse({ message: 'Yes', reply_to: question.id })).toEqual([409, 'no_connected_phone']);
  });

  test('a reaction changes the message that it names, once it is sent', async () => {
    const { send, receive, read } = await sender();
    const question = await receive('Open on Sunday?');
    const reaction = { message_id: question.id, emoji: '👍' };
    expect(await send({ type: 'reaction', reaction })).toMatchObject({ type: 'reaction', message: '👍' });
    expect((await read(question.id)).reactions).toMatchObject([{ emoji: '👍', from_me: true }]);
    await send({ type: 'reaction', reaction: { ...reaction, emoji: '' } });
    expect((await read(question.id)).reactions).toEqual([]);
  });

  test('an answer to another conversation, or to nothing, is refused', async () => {
    const { send, refuse, receive } = await sender();
    const other = await receive('Hello', '14155550999');
    const fault = (path: string) => [
      422,
      [{ path, message: 'No message of this conversation has that id, or it was never sent' }],
    ];
    expect(await refuse({ message: 'Yes', reply_to: other.id })).toEqual(fault('reply_to'));
    expect(await refuse({ message: 'Yes', reply_to: 1 })).toEqual(fault('reply_to'));
    const mine = await send({ message: 'Hello' });
    const stranger = await sender();
    const reaction = { message_id: mine.id, emoji: '👍' };
    expect(await stranger.refuse({ type: 'reaction', reaction })).toEqual(fault('reaction.message_id'));
  });

  test('a reaction is any one emoji: with a skin tone, joined, a flag or a key', async () => {
    const { send, receive, read } = await sender();
    const { id } = await receive('Hello');
    for (const emoji of ['❤', '❤️', '👍🏽', '👩🏽‍🚀', '👨‍👩‍👧‍👦', '🇧🇷', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '1️⃣', '🏳️‍🌈']) {
      await send({ type: 'reaction', reaction: { message_id: id, emoji } });
      expect((await read(id)).reactions).toMatchObject([{ emoji }]);
    }
  });

  test('a message that was deleted is not quoted, and gets no reaction', async () => {
    const { customer, send, refuse } = await sender();
    const { id } = await send({ message: 'Oops' });
    await customer.api.call(deleteMessage, { params: { messageId: id } });
    const fault = (path: string) => [422, [{ path, message: 'This message was deleted' }]];
    expect(await refuse({ message: 'As I said', reply_to: id })).toEqual(fault('reply_to'));
    const reaction = { message_id: id, emoji: '👍' };
    expect(await refuse({ type: 'reaction', reaction })).toEqual(fault('reaction.message_id'));
  });

  test('a key answers its message, though the one that it forwards or quotes was deleted since', async () => {
    const { customer, send } = await sender();
    const { id } = await send({ message: 'Look' });
    const bodies: [object, string][] = [
      [{ forward: { message_id: id } }, 'forward'],
      [{ message: 'As I said', reply_to: id }, 'quote'],
    ];
    const first = await Promise.all(bodies.map((body) => send(...body)));
    await customer.api.call(deleteMessage, { params: { messageId: id } });
    const again = await Promise.all(bodies.map((body) => send(...body)));
    expect(again.map((message) => message.id)).toEqual(first.map((message) => message.id));
  });

  test('a call is no message that could be answered', async () => {
    const { refuse, receive } = await sender();
    const { id } = await receive('Hello');
    await app.ctx.db.updateTable('messages').set({ type: 'call' }).where('id', '=', id).execute();
    expect(await refuse({ message: 'Yes', reply_to: id })).toMatchObject([422, [{ path: 'reply_to' }]]);
  });

  test('a key belongs to all that a message carries', async () => {
    const { send, refuse } = await sender();
    const first = await send({ type: 'location', location }, 'k');
    expect(await send({ type: 'location', location }, 'k')).toMatchObject({ id: first.id });
    const elsewhere = { ...location, latitude: 0 };
    expect(await refuse({ type: 'location', location: elsewhere }, 'k')).toEqual([409, 'idempotency_conflict']);
  });

  test('a batch and a schedule take places, and no answers', async () => {
    const { api, refuse, receive } = await sender();
    const question = await receive('Open?');
    const messages = [
      { to, type: 'location', location },
      { to, message: 'Yes', reply_to: question.id },
    ] as const;
    const { body } = await api.call(sendBatch, { body: { messages: [...messages] } });
    expect(body.data).toMatchObject([{ status: 'pending' }, { error: { code: 'invalid_input' } }]);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    const late = await refuse({ message: 'Yes', reply_to: question.id, send_at: tomorrow });
    expect(late).toMatchObject([422, [{ path: 'reply_to' }]]);
  });
});

const missing = 'Enter a message';
test.for<[string, object, [string, string][]]>([
  ['nothing', {}, [['message', missing]]],
  ['only spaces', { message: '  ' }, [['message', missing]]],
  ['a text that is a number', { message: 4 }, [['message', missing]]],
  ['a type that is not sent', { type: 'unsupported', message: 'a' }, [['type', 'must be one of text, image']]],
  ['a place without one', { type: 'location' }, [['location', 'Say which location']]],
  ['a text with a place', { message: 'a', location }, [['location', 'A message of type text has none']]],
  ['a place with a text', { type: 'location', location, message: 'a' }, [['message', 'has no text']]],
  [
    'a place beyond the pole',
    { type: 'location', location: { latitude: 91, longitude: 0 } },
    [['location.latitude', '-90']],
  ],
  ['a poll without one', { type: 'poll' }, [['poll', 'Say which poll']]],
  [
    'a poll with the same option twice',
    { type: 'poll', poll: { question: 'Which?', options: ['A', 'A'] } },
    [['poll.options', 'Use each option once']],
  ],
  [
    'a reaction with a word',
    { type: 'reaction', reaction: { message_id: 1, emoji: 'ok' } },
    [['reaction.emoji', 'Use one emoji']],
  ],
  [
    'a reaction with two emojis',
    { type: 'reaction', reaction: { message_id: 1, emoji: '👍👍' } },
    [['reaction.emoji', 'Use one emoji']],
  ],
  ['a picture without a file', { type: 'image' }, [['media', 'Say which media']]],
  [
    'a file by two names',
    { type: 'image', media: { id: 'a', url: 'https://a.b/c' } },
    [['media', 'by its id or by a url']],
  ],
  ['a file of this machine', { type: 'image', media: { url: 'file:///etc/passwd' } }, [['media.url', 'http']]],
  ['a long caption', { type: 'image', media: { id: 'a' }, message: 'a'.repeat(1025) }, [['message', '1024']]],
  [
    'a card without numbers',
    { type: 'contact', contacts: [{ name: 'A', phones: [] }] },
    [['contacts.0.phones', 'Add a number']],
  ],
  [
    'a name for a picture',
    { type: 'image', media: { id: 'a' }, file_name: 'a.jpg' },
    [['file_name', 'Only a document']],
  ],
  [
    'two faults',
    { to: 'x', message: '' },
    [
      ['to', 'Invalid number'],
      ['message', missing],
    ],
  ],
])('%s is refused with words for its field', async ([, body, expected]) => {
  const { refuse } = await shared;
  const [status, errors] = await refuse(body);
  expect(status).toBe(422);
  expect(errors).toMatchObject(
    expected.map(([path, words]) => ({ path, message: expect.stringContaining(words) as string })),
  );
});

let shared: ReturnType<typeof sender>;
beforeAll(() => {
  shared = sender();
});

test('a text says how it goes: mentions, without a preview; its answer shows whom it mentions', async () => {
  const { send, refuse, read } = await sender();
  const mentions = ['+55 11 98888-7777', 'lid:1234567890'];
  const sent = await send({ message: 'Ask @5511988887777', mentions, preview: false }, 'm');
  expect(sent.context).toMatchObject({ mentions: ['5511988887777', 'lid:1234567890'], forwarded: false });
  expect((await send({ message: 'Ask @5511988887777', mentions, preview: false }, 'm')).id).toBe(sent.id);
  expect(await refuse({ message: 'Ask @5511988887777', mentions }, 'm')).toEqual([409, 'idempotency_conflict']);
  expect((await read((await send({ message: 'Hi' })).id)).context).toBeNull();
  const at = (path: string, message: string) => [422, [{ path, message }]];
  expect(await refuse({ message: 'Hi', mentions: ['nobody'] })).toEqual(at('mentions.0', 'Invalid number'));
  expect(await refuse({ type: 'location', location, preview: false })).toEqual(
    at('preview', 'Only a text has a preview'),
  );
  expect(await refuse({ message: 'Hi', play_as: 'gif' })).toEqual(at('play_as', 'Only a video is played'));
  expect(await refuse({ type: 'location', location, mentions: ['14155550199'] })).toEqual(
    at('mentions', 'Only a text or a caption mentions people'),
  );
});

test('a message of the project is forwarded with what it carries, either way', async () => {
  const { send, refuse, receive } = await sender();
  const other = await sender();
  const forward = (message_id: number) => ({ to: '14155550177', forward: { message_id } });
  const place = await send({ type: 'location', location });
  expect(await send(forward(place.id))).toMatchObject({
    to: '14155550177',
    type: 'location',
    location,
    context: { forwarded: true },
    reply_to: null,
  });
  const asked = await receive('May I?');
  expect(await send(forward(asked.id))).toMatchObject({
    type: 'text',
    message: 'May I?',
    context: { forwarded: true },
  });
  const at = (path: string, message: string) => [422, [{ path, message }]];
  const foreign = await other.send({ message: 'Mine' });
  expect(await refuse(forward(foreign.id))).toEqual(at('forward.message_id', 'No message of this project has that id'));
  const reaction = await send({ type: 'reaction', reaction: { message_id: asked.id, emoji: '👍' } });
  expect(await refuse(forward(reaction.id))).toEqual(at('forward.message_id', 'This message cannot be forwarded'));
  expect(await refuse({ ...forward(place.id), message: 'Hi' })).toEqual(
    at('message', 'A forwarded message brings its own content'),
  );
});
