import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  countConversations,
  getConversation,
  listConversations,
  updateConversation,
} from '#contracts/conversations.ts';
import type { LiveEvent } from '#contracts/live.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { listWebhooks } from '#contracts/webhooks.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { wakeConversations } from './snooze.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

const hourMs = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

async function scene() {
  const owner = await signUpSubscriber(app.url);
  const project = await makeProject(owner, 'https://example.com/hook');
  const phone = await connectSandboxPhone(owner, project.id);
  const write = (from: string) =>
    owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message: 'Hello?' } });
  await write('14155550132');
  await write('14155550133');
  const query = { project_id: project.id };
  const list = async (status?: 'open' | 'snoozed' | 'done' | 'unread') =>
    (await owner.api.call(listConversations, { query: { ...query, status } })).body.data;
  const [, first] = await list();
  const params = { conversationId: first?.id ?? 0 };
  const phones = async (status?: 'open' | 'snoozed' | 'done') => (await list(status)).map((each) => each.phone);
  const counts = async () => (await owner.api.call(countConversations, { query })).body;
  const change = (body: object) => owner.api.call(updateConversation, { params, body });
  const refuse = (body: object) => owner.api.refuse(updateConversation, { params, body });
  const get = async () => (await owner.api.call(getConversation, { params })).body;
  return { owner, project, params, write, phones, counts, change, refuse, get };
}

test('a snoozed conversation is not among the open ones until its time has come', async () => {
  const { owner, project, params, phones, counts, change, get } = await scene();
  const until = inHours(3);
  expect((await change({ snoozed_until: until, read: true })).body).toMatchObject({
    status: 'open',
    unread_count: 0,
    snoozed_until: until,
  });
  expect(await phones('open')).toEqual(['14155550133']);
  expect(await phones('snoozed')).toEqual(['14155550132']);
  expect(await phones()).toEqual(['14155550133', '14155550132']);
  expect(await counts()).toMatchObject({ open: 1, unassigned: 1, snoozed: 1 });

  const events: LiveEvent[] = [];
  const unsubscribe = subscribeLive(app.ctx, (event) => void events.push(event), { accountId: owner.id });
  await wakeConversations(app.ctx);
  expect((await get()).snoozed_until).toBe(until);
  await wakeConversations({ ...app.ctx, clock: { now: () => new Date(Date.now() + 4 * hourMs) } });
  const news = { type: 'conversations.changed', project_id: project.id, conversation_id: params.conversationId };
  await expect.poll(() => events).toContainEqual(news);
  unsubscribe();
  expect(await phones('open')).toEqual(['14155550133', '14155550132']);
  expect(await get()).toMatchObject({ status: 'open', snoozed_until: null });
});

test('a snoozed conversation comes back as soon as the person writes, whichever release counts the message', async () => {
  const { write, phones, counts, change, get, params, owner } = await scene();
  await change({ snoozed_until: inHours(3), read: true });
  await write('14155550132');
  expect(await get()).toMatchObject({ snoozed_until: null, unread_count: 1 });
  expect(await phones('open')).toEqual(['14155550132', '14155550133']);

  await change({ snoozed_until: inHours(3), read: true });
  await sql`
    update conversations set status = 'open', unread_count = unread_count + 1
     where account_id = ${owner.id} and id = ${params.conversationId}
  `.execute(app.ctx.db);
  expect((await get()).snoozed_until).toBeNull();
  expect(await counts()).toMatchObject({ open: 2, snoozed: 0 });
});

test('a conversation is brought back by hand or by done, snoozing opens what is done, and a time has to be to come', async () => {
  const { phones, change, refuse, get } = await scene();
  await change({ status: 'done' });
  expect((await change({ snoozed_until: inHours(1) })).body).toMatchObject({ status: 'open' });
  await change({ snoozed_until: null });
  expect(await phones('open')).toEqual(['14155550133', '14155550132']);
  await change({ snoozed_until: inHours(1) });
  expect((await change({ status: 'done' })).body).toMatchObject({ status: 'done', snoozed_until: null });
  for (const body of [
    { snoozed_until: inHours(-1) },
    { snoozed_until: inHours(24 * 400) },
    { snoozed_until: 'tomorrow' },
    { snoozed_until: inHours(1), status: 'done' },
  ]) {
    expect(await refuse(body)).toMatchObject({ status: 422, body: { errors: [{ path: 'snoozed_until' }] } });
  }
  expect(await get()).toMatchObject({ status: 'done', snoozed_until: null });
});

test('webhooks tell who was given a conversation, and that it is done; what changes nothing is not told', async () => {
  const { owner, project, change, params } = await scene();
  const projectId = project.id;
  const told = async () => {
    const { body } = await owner.api.call(listWebhooks, { params: { projectId }, query: {} });
    return body.data.flatMap(({ type, payload }) => (type.startsWith('conversation.') ? [[type, payload?.data]] : []));
  };
  await change({ assigned_to: owner.id });
  await change({ assigned_to: owner.id, read: true });
  await change({ status: 'done' });
  await change({ status: 'done', snoozed_until: null });
  await change({ assigned_to: null });
  const data = { id: params.conversationId, phone: '14155550132', project_id: projectId };
  await expect.poll(told).toMatchObject([
    ['conversation.assigned', { ...data, assigned_to: null }],
    ['conversation.done', { ...data, status: 'done', assigned_to: owner.id }],
    ['conversation.assigned', { ...data, status: 'open', assigned_to: owner.id }],
  ]);
});
