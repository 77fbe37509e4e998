import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  deleteMessage,
  editMessage,
  getMessage,
  listMessages,
  receiveSandboxMessage,
  sendMessage,
} from '#contracts/messages.ts';
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
  return {
    phone,
    customer,
    send: async (body: object) => (await api.call(sendMessage, { headers: {}, body: { to, ...body } })).body,
    edit: (messageId: number, message: string, mentions?: string[]) =>
      api.call(editMessage, { params: { messageId }, body: { message, ...(mentions && { mentions }) } }),
    records: async () => {
      const { body } = await customer.api.call(listMessages, { params: { projectId: project.id }, query: {} });
      return body.data.toReversed();
    },
    remove: (messageId: number) => api.call(deleteMessage, { params: { messageId } }),
    refuseEdit: async (messageId: number, message = 'Other') =>
      (await api.refuse(editMessage, { params: { messageId }, body: { message } })).body,
    refuseRemoval: async (messageId: number) => (await api.refuse(deleteMessage, { params: { messageId } })).body,
    read: async (messageId: number) => (await api.call(getMessage, { params: { messageId } })).body,
    events: async () => {
      const rows = await app.ctx.db
        .selectFrom('webhook_records')
        .select('type')
        .where('project_id', '=', project.id)
        .orderBy('id')
        .execute();
      return rows.map(({ type }) => type);
    },
    age: (messageId: number, minutes: number) =>
      app.ctx.db
        .updateTable('messages')
        .set({ sent_at: new Date(Date.now() - minutes * 60_000) })
        .where('id', '=', messageId)
        .execute(),
  };
}

test('a text is edited within 15 minutes, and the record of the edit names it', async () => {
  const { send, edit, read, events } = await sender();
  const sent = await send({ message: 'See you at 8' });
  const { status, body } = await edit(sent.id, 'See you at 9');
  expect([status, body]).toMatchObject([200, { id: sent.id, message: 'See you at 9', type: 'text' }]);
  expect(await read(sent.id)).toMatchObject({ message: 'See you at 9', edited_at: expect.any(String) as string });
  expect(await events()).toContain('message.edited');
});

test('an edit mentions those whom the text still names, or whom it says', async () => {
  const { send, edit, read, records } = await sender();
  const [ada, bob] = ['14155550111', '14155550112'];
  const sent = await send({ message: `@${ada} and @${bob}`, mentions: [ada, bob] });
  const mentionsOf = async () => (await read(sent.id)).context?.mentions ?? [];
  await edit(sent.id, `Only @${ada}`);
  expect(await mentionsOf()).toEqual([ada]);
  expect(await records()).toMatchObject([{ type: 'text' }, { type: 'edit', context: { mentions: [ada] } }]);
  await edit(sent.id, `Rather @${bob}`, [bob]);
  expect(await mentionsOf()).toEqual([bob]);
  await edit(sent.id, `@${bob}1 is nobody`);
  expect(await mentionsOf()).toEqual([]);
});

test('a message is deleted for everybody, once', async () => {
  const { send, remove, refuseRemoval, refuseEdit, events } = await sender();
  const sent = await send({ message: 'Oops' });
  expect((await remove(sent.id)).body).toMatchObject({ id: sent.id, deleted_at: expect.any(String) as string });
  expect(await events()).toContain('message.deleted');
  expect(await refuseRemoval(sent.id)).toMatchObject({ code: 'not_changeable', message: 'It was deleted' });
  expect(await refuseEdit(sent.id)).toMatchObject({ code: 'not_changeable', message: 'It was deleted' });
});

test('two deletions at once are told of once', async () => {
  const { send, remove, events, records } = await sender();
  const sent = await send({ message: 'Oops' });
  await Promise.all([remove(sent.id), remove(sent.id)]);
  expect(await records()).toMatchObject([{ type: 'text' }, { type: 'deletion' }, { type: 'deletion' }]);
  expect((await events()).filter((type) => type === 'message.deleted')).toHaveLength(1);
});

test('a message that is too old, of the other side, or no text, cannot be changed', async () => {
  const { send, age, refuseEdit, refuseRemoval, customer, phone } = await sender();
  const sent = await send({ message: 'Old' });
  await age(sent.id, 16);
  expect(await refuseEdit(sent.id)).toMatchObject({ message: 'It was sent more than 15 minutes ago' });
  await age(sent.id, 61 * 60);
  expect(await refuseRemoval(sent.id)).toMatchObject({ message: 'It was sent more than 60 hours ago' });
  const place = await send({ type: 'location', location: { latitude: 1, longitude: 2 } });
  expect(await refuseEdit(place.id)).toMatchObject({
    message: 'Only the text of a message without media can be changed',
  });
  const params = { phoneId: phone.id };
  const { body: received } = await customer.api.call(receiveSandboxMessage, {
    params,
    body: { from: to, message: 'Hi' },
  });
  expect(await refuseRemoval(received.id)).toMatchObject({ code: 'not_changeable', message: 'It came from outside' });
});

test('a poll is sent with its options, and has no votes yet', async () => {
  const { send } = await sender();
  const poll = { question: 'Which colour?', options: ['Red', 'Blue'], multiple: true };
  expect(await send({ type: 'poll', poll })).toMatchObject({
    type: 'poll',
    status: 'sent',
    message: 'Which colour?',
    poll: { ...poll, votes: [] },
  });
});
