import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConversationChanges } from '#contracts/conversation-changes.ts';
import { listConversations, updateConversation, updateConversations } from '#contracts/conversations.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { PROJECT_LIMIT: '5' } });
});

afterAll(() => app[Symbol.asyncDispose]());

async function scene() {
  const owner = await signUpSubscriber(app.url);
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  const message = { from: '14155550132', message: 'Hello?' };
  await owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: message });
  const agent = await signUp(app.url);
  await joinAccount(app, owner, agent, 'agent');
  await app.ctx.db.updateTable('accounts').set({ name: 'Grace Hopper' }).where('id', '=', agent.id).execute();
  const { body } = await owner.api.call(listConversations, { query: { project_id: project.id } });
  const params = { conversationId: body.data[0]?.id ?? 0 };
  const changes = async (api = owner.api, query: { after?: string; limit?: number } = {}) =>
    (await api.call(listConversationChanges, { params, query })).body;
  return { owner, agent, project, params, changes };
}

test('members see who gave a conversation to whom, put it aside and was done with it, newest first', async () => {
  const { owner, agent, params, changes } = await scene();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await owner.api.call(updateConversation, { params, body: { assigned_to: agent.id } });
  await agent.api.call(updateConversation, { params, body: { snoozed_until: until } });
  await agent.api.call(updateConversation, { params, body: { snoozed_until: null } });
  await agent.api.call(updateConversation, { params, body: { labels: ['Delivery'], read: true } });
  await agent.api.call(updateConversation, { params, body: { assigned_to: null, status: 'done' } });
  const ada = { id: owner.id, name: 'Ada Lovelace' };
  const grace = { id: agent.id, name: 'Grace Hopper' };
  const common = { id: expect.any(Number), conversation_id: params.conversationId, created_at: expect.any(String) };
  const { data, next_cursor: next } = await changes(agent.api);
  expect(data).toEqual([
    { ...common, author: grace, assigned_to: null, status: 'done' },
    { ...common, author: grace, snoozed_until: null },
    { ...common, author: grace, snoozed_until: until },
    { ...common, author: ada, assigned_to: grace },
  ]);
  expect(next).toBeNull();
});

test('changes of many count for each, in pages, and a program is no member', async () => {
  const { owner, params, changes } = await scene();
  const program = createApiClient(app.url, { authorization: owner.apiKey });
  const ids = [params.conversationId];
  await program.call(updateConversations, { body: { ids, status: 'done' } });
  await program.call(updateConversations, { body: { ids, status: 'open' } });
  const first = await changes(program, { limit: 1 });
  expect(first.data).toMatchObject([{ author: null, status: 'open' }]);
  const rest = await changes(program, { limit: 1, after: first.next_cursor ?? '' });
  expect(rest.data).toMatchObject([{ author: null, status: 'done' }]);
  expect(rest.next_cursor).toBeNull();
});

test('a conversation of another project or account has none to see', async () => {
  const { owner, params } = await scene();
  const elsewhere = await makeProject(owner);
  const narrowed = await signUp(app.url);
  await joinAccount(app, owner, narrowed, 'agent', [elsewhere.id]);
  const stranger = await signUpSubscriber(app.url);
  for (const { api } of [narrowed, stranger]) {
    expect((await api.refuse(listConversationChanges, { params, query: {} })).status).toBe(404);
  }
});
