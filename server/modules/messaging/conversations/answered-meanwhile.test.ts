import { afterAll, beforeAll, expect, test } from 'vitest';
import { listConversationMessages, listConversations, replyToConversation } from '#contracts/conversations.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { joinAccount } from '#tests/support/join-account.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(() => app[Symbol.asyncDispose]());

test('of two answers to the same message one is sent, and the other once its writer has seen it', async () => {
  const owner = await signUpSubscriber(app.url);
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  const agent = await signUp(app.url);
  await joinAccount(app, owner, agent, 'agent');
  const body = { from: '14155550132', message: 'Hello?' };
  await owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body });
  const { body: list } = await owner.api.call(listConversations, { query: {} });
  const params = { conversationId: list.data[0]?.id ?? 0 };
  const messages = async () => (await owner.api.call(listConversationMessages, { params, query: {} })).body.data;
  const seen = (await messages())[0]?.id ?? 0;
  const answer = ({ api }: Customer, seen_up_to?: number) =>
    api.call(replyToConversation, { params, body: { message: 'Yes', seen_up_to } });
  const both = await Promise.allSettled([answer(owner, seen), answer(agent, seen)]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await messages()).toHaveLength(2);
  const refused = await agent.api.refuse(replyToConversation, {
    params,
    body: { message: 'Yes', seen_up_to: seen },
  });
  expect(refused).toMatchObject({ status: 409, body: { code: 'answered_meanwhile' } });
  await answer(agent, (await messages())[0]?.id);
  await answer(agent);
  expect(await messages()).toHaveLength(4);
});
