import { expect, test, vi } from 'vitest';
import { getConversation, listConversations } from '#contracts/conversations.ts';
import { getMessage } from '#contracts/messages.ts';
import { listSuppressions, removeSuppression } from '#contracts/suppressions.ts';
import type { CloudApiStandIn } from './cloud-api/stand-in.ts';
import type { TestApplication } from './support/application.ts';
import { setUpOfficial } from './support/official-application.ts';
import { addTemplate } from './support/connect-official.ts';
import { officialScene } from './support/official-scene.ts';
import type { OfficialScene } from './support/official-scene.ts';
import { patience } from './support/patience.ts';

let meta: CloudApiStandIn;
let app: TestApplication;

setUpOfficial((started) => ({ meta, app } = started));

let count = 0;
const newUser = () => `US.1349120865530${(count += 1)}`;
const text = (body: string) => ({ type: 'text', text: { body } });

async function conversationsOf({ api, project }: OfficialScene) {
  return (await api.call(listConversations, { query: { project_id: project.id } })).body.data;
}

async function theOnly(scene: OfficialScene) {
  return vi.waitFor(async () => {
    const [only, ...others] = await conversationsOf(scene);
    if (!only || others.length > 0) throw new Error('There is not one conversation');
    return only;
  }, patience);
}

const suppressionsOf = async ({ api }: OfficialScene) => (await api.call(listSuppressions, { query: {} })).body.data;

test('somebody who hides their number is a conversation, is answered by their user id, and reads it', async () => {
  const scene = await officialScene(app, meta);
  const user = newUser();
  meta.receiveFromUser(user, text('Are you open?'));
  const conversation = await theOnly(scene);
  expect(conversation).toMatchObject({ phone: null, lid: user });
  const sent = await scene.send({ to: { conversation_id: conversation.id }, message: 'Until six.' });
  expect(sent.status).toBe(200);
  expect(meta.sent.at(-1)?.body).toMatchObject({ recipient: user, text: { body: 'Until six.' } });
  expect(meta.sent.at(-1)?.body).not.toHaveProperty('to');
  await vi.waitFor(
    async () =>
      expect((await scene.api.call(getMessage, { params: { messageId: sent.body.id } })).body).toMatchObject({
        status: 'read',
        to: null,
      }),
    patience,
  );
  expect((await scene.send({ to: { lid: user }, message: 'Come by.' })).status).toBe(200);
  expect(meta.sent.at(-1)).toMatchObject({ to: user });
});

test('an opt-out under a user id holds for the number once it is known, and for the user id after that', async () => {
  const scene = await officialScene(app, meta);
  const [user, number] = [newUser(), '4915110005001'];
  meta.receiveFromUser(user, text('STOP'));
  await vi.waitFor(
    async () => expect(await suppressionsOf(scene)).toMatchObject([{ phone: `lid:${user}`, topic: '*' }]),
    patience,
  );
  meta.receiveFromUser(user, text('It is me'), number);
  await vi.waitFor(
    async () => expect(await suppressionsOf(scene)).toMatchObject([{ phone: number, topic: '*' }]),
    patience,
  );
  for (const to of [`+${number}`, { lid: user }])
    expect(await scene.send({ to, message: 'Sale' })).toMatchObject({ status: 409, body: { code: 'opted_out' } });
});

test('somebody whose number was seen before stays in their conversation when they hide it, and their window is open', async () => {
  const scene = await officialScene(app, meta);
  const [user, number] = [newUser(), '4915110005002'];
  meta.receiveFromUser(user, text('Hello'), number);
  const before = await theOnly(scene);
  meta.receiveFromUser(user, text('Hello again'));
  await vi.waitFor(
    async () =>
      expect((await scene.api.call(getConversation, { params: { conversationId: before.id } })).body).toMatchObject({
        phone: number,
        unread_count: 2,
      }),
    patience,
  );
  expect(await conversationsOf(scene)).toHaveLength(1);
  expect((await scene.send({ to: `+${number}`, message: 'Yes?' })).status).toBe(200);
});

test('a stop of marketing under a user id stops marketing templates and nothing else, moves with the number, and is lifted', async () => {
  const scene = await officialScene(app, meta);
  const [user, number] = [newUser(), '4915110005003'];
  const marketing = addTemplate(meta, { category: 'MARKETING', components: [{ type: 'BODY', text: 'All bulbs.' }] });
  await scene.sync();
  meta.receiveFromUser(user, text('Hello'));
  const { id } = await theOnly(scene);
  const now = Math.floor(Date.now() / 1000);
  const say = (value: 'stop' | 'resume', timestamp: number) =>
    meta.tell('user_preferences', {
      user_preferences: [{ user_id: user, category: 'marketing_messages', value, timestamp, detail: '' }],
    });
  say('stop', now - 60);
  await vi.waitFor(
    async () => expect(await suppressionsOf(scene)).toMatchObject([{ phone: `lid:${user}`, topic: 'marketing' }]),
    patience,
  );
  const template = { name: marketing.name, language: marketing.language, variables: {} };
  const send = () => scene.send({ to: { conversation_id: id }, type: 'template', template });
  expect(await send()).toMatchObject({ status: 409, body: { code: 'opted_out' } });
  expect((await scene.send({ to: { conversation_id: id }, message: 'Your order is ready.' })).status).toBe(200);
  meta.receiveFromUser(user, text('It is me'), number);
  await vi.waitFor(
    async () => expect(await suppressionsOf(scene)).toMatchObject([{ phone: number, topic: 'marketing' }]),
    patience,
  );
  say('resume', now - 30);
  await vi.waitFor(async () => expect(await suppressionsOf(scene)).toEqual([]), patience);
  expect((await send()).status).toBe(200);
});

test('an opt-out of a hidden person is taken back by their address', async () => {
  const scene = await officialScene(app, meta);
  const user = newUser();
  meta.receiveFromUser(user, text('STOP'));
  await vi.waitFor(async () => expect(await suppressionsOf(scene)).toHaveLength(1), patience);
  const params = { phone: `lid:${user}` } as never;
  await scene.api.call(removeSuppression, { params, query: { reason: 'They called' } });
  expect(await suppressionsOf(scene)).toEqual([]);
});
