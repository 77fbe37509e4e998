import { afterAll, beforeAll, expect, test } from 'vitest';
import { exportConversationTimes, getConversationTimes } from '#contracts/conversation-times.ts';
import { listConversations, replyToConversation, updateConversation } from '#contracts/conversations.ts';
import { receiveSandboxMessage } from '#contracts/messages.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUp, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { joinAccount } from '#tests/support/join-account.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import type { TestClock } from '#tests/support/test-clock.ts';
import { removeOldEpisodes } from './episodes.ts';

const minuteMs = 60_000;
let app: TestApplication;
let clock: TestClock;
let database: TestDatabase;

// In the night in which the clocks of Lisbon go back: its 25 October 2026 has 25 hours, until midnight UTC.
beforeAll(async () => {
  clock = createTestClock(new Date('2026-10-25T22:00:00Z'));
  database = await createTestDatabase();
  app = await startTestApplication({ connectionString: database.applicationConnectionString, clock });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.drop();
});

test('first answers and ends are counted by the day of the account, the member, and once each', async () => {
  const owner = await signUpSubscriber(app.url, 'Europe/Lisbon');
  const project = await makeProject(owner);
  const phone = await connectSandboxPhone(owner, project.id);
  const agent = await signUp(app.url);
  await joinAccount(app, owner, agent, 'agent');
  const write = (from: string) =>
    owner.api.call(receiveSandboxMessage, { params: { phoneId: phone.id }, body: { from, message: 'Hello?' } });
  const idOf = async (from: string) =>
    (await owner.api.call(listConversations, { query: {} })).body.data.find((each) => each.phone === from)?.id ?? 0;
  const reply = ({ api }: Customer, conversationId: number) =>
    api.call(replyToConversation, { params: { conversationId }, body: { message: 'Yes' } });
  const set = ({ api }: Customer, conversationId: number, status: 'open' | 'done') =>
    api.call(updateConversation, { params: { conversationId }, body: { status } });
  const times = async (query: object = {}) => (await owner.api.call(getConversationTimes, { query })).body;

  await write('14155550131');
  const first = await idOf('14155550131');
  clock.advance(10 * minuteMs);
  // A second message waits for the same answer, and a second answer is none.
  await write('14155550131');
  clock.advance(10 * minuteMs);
  await reply(agent, first);
  clock.advance(minuteMs);
  await reply(owner, first);
  clock.advance(30 * minuteMs);
  await set(owner, first, 'done');
  // Undone, it goes on.
  await set(owner, first, 'open');
  clock.advance(9 * minuteMs);
  await set(owner, first, 'done');
  expect(await times()).toMatchObject({
    timezone: 'Europe/Lisbon',
    to: '2026-10-25',
    total: { answered_count: 1, first_answer_median_seconds: 1200, done_count: 1, done_average_seconds: 3600 },
    days: [{ date: '2026-10-25', answered_count: 1, done_count: 1 }],
  });

  // Midnight in Lisbon is midnight UTC by now.
  clock.advance(90 * minuteMs);
  await write('14155550132');
  const second = await idOf('14155550132');
  clock.advance(4 * minuteMs);
  await reply(agent, second);
  const { data, members, to } = await times();
  expect(to).toBe('2026-10-26');
  const counted = data.map(({ date, member, answered_count: count }) => [date, member?.id, count]);
  expect(counted).toHaveLength(3);
  expect(counted).toContainEqual(['2026-10-25', agent.id, 1]);
  expect(counted).toContainEqual(['2026-10-25', owner.id, 0]);
  expect(counted).toContainEqual(['2026-10-26', agent.id, 1]);
  const ofAgent = members.find(({ member }) => member?.id === agent.id);
  expect(ofAgent).toMatchObject({ answered_count: 2, first_answer_median_seconds: 720, done_count: 0 });
  expect((await times({ from: '2026-10-26', to: '2026-10-26' })).total).toMatchObject({ answered_count: 1 });

  const csv = await fetch(`${app.url}${exportConversationTimes.path}?from=2026-10-25`, {
    headers: { authorization: owner.token },
  });
  expect((await csv.text()).split('\r\n')).toHaveLength(5);
  expect((await agent.api.refuse(exportConversationTimes, { query: {} })).status).toBe(403);

  await removeOldEpisodes({ ...app.ctx, clock: { now: () => new Date('2028-01-01T00:00:00Z') } });
  expect((await times()).total).toMatchObject({ answered_count: 0, done_count: 0 });
});

test('days that are none, too many or in the wrong order are refused, and another account has none', async () => {
  const owner = await signUpSubscriber(app.url);
  for (const query of [
    { from: '2026-02-30' },
    { from: '0001-01-01' },
    { from: '2026-01-01', to: '2026-10-01' },
    { from: '2026-10-02', to: '2026-10-01' },
  ]) {
    expect((await owner.api.refuse(getConversationTimes, { query })).status).toBe(422);
  }
  expect((await owner.api.call(getConversationTimes, { query: {} })).body).toMatchObject({ members: [], data: [] });
});
