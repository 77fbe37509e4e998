import { afterAll, beforeAll, expect, test } from 'vitest';
import { showPresence } from '#contracts/conversation-presence.ts';
import { listConversations } from '#contracts/conversations.ts';
import type { LiveEvent } from '#contracts/live.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { removeMember } from '#contracts/team.ts';
import { subscribeLive } from '#server/modules/identity/live/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

let app: TestApplication;
let other: TestApplication;
let database: TestDatabase;
const clock = createTestClock(new Date());

// Two processes over one database, with one clock.
beforeAll(async () => {
  database = await createTestDatabase();
  const options = { connectionString: database.applicationConnectionString, clock };
  app = await startTestApplication(options);
  other = await startTestApplication(options);
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await other[Symbol.asyncDispose]();
  await database.drop();
});

test('members learn who else looks and writes, in every process, until they go, fall silent or are removed', async () => {
  const owner = await signUpSubscriber(app.url);
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  const body = { from: '14155550132', message: 'Hello?' };
  await owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body });
  const viewer = await signUp(app.url);
  await joinAccount(app, owner, viewer, 'viewer');
  const { body: list } = await owner.api.call(listConversations, { query: {} });
  const params = { conversationId: list.data[0]?.id ?? 0 };
  const say = async ({ api }: Customer, state: 'looking' | 'writing' | 'gone') =>
    (await api.call(showPresence, { params, body: { state } })).body.others.map(({ id, state: is }) => [id, is]);
  const events: LiveEvent[] = [];
  const unsubscribe = subscribeLive(other.ctx, (event) => void events.push(event), { accountId: owner.id });

  expect(await say(owner, 'looking')).toEqual([]);
  expect(await say(viewer, 'looking')).toEqual([[owner.id, 'looking']]);
  expect(await say(owner, 'writing')).toEqual([[viewer.id, 'looking']]);
  // The same again is no news.
  await say(owner, 'writing');
  const news = (userId: number, state: string) => ({
    type: 'conversations.presence',
    project_id: project.id,
    conversation_id: params.conversationId,
    user_id: userId,
    state,
  });
  const expected = [news(owner.id, 'looking'), news(viewer.id, 'looking'), news(owner.id, 'writing')];
  await expect.poll(() => events.filter(({ type }) => type === 'conversations.presence')).toEqual(expected);
  unsubscribe();

  expect(await say(viewer, 'looking')).toEqual([[owner.id, 'writing']]);
  await say(owner, 'gone');
  expect(await say(viewer, 'looking')).toEqual([]);
  await say(owner, 'writing');
  clock.advance(31_000);
  expect(await say(viewer, 'looking')).toEqual([]);
  expect(await say(owner, 'looking')).toEqual([[viewer.id, 'looking']]);
  await owner.api.call(removeMember, { params: { userId: viewer.id } });
  expect(await say(owner, 'looking')).toEqual([]);
  const stranger = await signUpSubscriber(app.url);
  expect((await stranger.api.refuse(showPresence, { params, body: { state: 'looking' } })).status).toBe(404);
});
