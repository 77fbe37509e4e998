import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendBatch } from '#contracts/message-batches.ts';
import { getMessage } from '#contracts/messages.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { createApiClient } from '#tests/support/api-client.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { addPacedPhone } from '#tests/support/paced-phone.ts';
import { feedProject } from './feed-project.ts';
import { findProjectsWithUntried } from './take-back-held.ts';

const hourMs = 60 * 60_000;
const to = '447500900001';

let app: TestApplication;

beforeAll(async () => {
  // Its own worker finds nothing: the tests play it.
  app = await startTestApplication({ env: { ROLES: 'api' } });
});

afterAll(() => app[Symbol.asyncDispose]());

/** Two phones that may send by day and by night, and one message that the first of them was given. */
async function makeScene() {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId, auth_key: authKey } = await makeProject(customer);
  const start = app.ctx.clock.now();
  const facts = { linkedAt: new Date(start.getTime() - 22 * 24 * hourMs) };
  const first = await addPacedPhone(app, { customer, projectId }, { start, facts, number: '442070000001' });
  const second = await addPacedPhone(app, { customer, projectId }, { start, facts, number: '442070000002' });
  const { pool } = app.ctx;
  await pool.query('update phones set priority = 10 where id = $1', [first.phoneId]);
  await pool.query('update phone_health set has_quiet_hours = false where account_id = $1', [customer.id]);
  const api = createApiClient(app.url, { 'x-auth-key': authKey });
  const { body } = await api.call(sendBatch, { body: { messages: [{ to, message: 'Hello' }] } });
  const [line] = body.data;
  const messageId = line?.id ?? 0;
  const params = { messageId };
  const scene = {
    phoneIds: { first: first.phoneId, second: second.phoneId },
    messageId,
    find: async () => (await api.call(getMessage, { params })).body,
    counts: async () => {
      const { body: phones } = await customer.api.call(listPhoneNumbers, { params: { projectId } });
      const countOf = (id: number) => phones.data.find((phone) => phone.id === id)?.daily_message_count;
      return [countOf(first.phoneId), countOf(second.phoneId)];
    },
    isLookedAt: async () => (await findProjectsWithUntried(app.ctx)).some((found) => found.projectId === projectId),
    feed: () => feedProject(app.ctx, { accountId: customer.id, projectId }),
  };
  await scene.feed();
  expect(await scene.find()).toMatchObject({ phone_id: first.phoneId, status: 'pending' });
  expect(await scene.counts()).toEqual([1, 0]);
  return scene;
}

async function limit(phoneId: number): Promise<void> {
  const until = new Date(app.ctx.clock.now().getTime() + hourMs);
  await app.ctx.pool.query(
    `update phone_health set first_stopped_until = $2, facts = facts || $3::jsonb where phone_id = $1`,
    [phoneId, until, JSON.stringify({ limit: { until, scope: 'first', code: 'time_lock' } })],
  );
}

const stops: Record<string, (phoneId: number) => Promise<unknown>> = {
  'is limited': limit,
  'is at its maximum': (phoneId) =>
    app.ctx.pool.query(
      `with sent as (
         insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at)
         select account_id, id, -n, '4470' || n, 'known', now() - interval '1 second' from phones, generate_series(1, 3) as n
          where id = $1
       )
       update phones set max_daily_messages = 3 where id = $1`,
      [phoneId],
    ),
  'has lost its link': (phoneId) =>
    app.ctx.pool.query(`update phones set status = 'disconnected' where id = $1`, [phoneId]),
};

test.each(Object.keys(stops))('a message of a batch goes by another phone where its own %s', async (name) => {
  const scene = await makeScene();
  await stops[name]?.(scene.phoneIds.first);
  expect(await scene.isLookedAt()).toBe(true);
  await scene.feed();
  expect(await scene.find()).toMatchObject({ phone_id: scene.phoneIds.second, status: 'pending' });
  expect(await scene.counts()).toEqual([0, 1]);
});

test('where no phone may take it, it waits for any of them, and is counted by none', async () => {
  const scene = await makeScene();
  await limit(scene.phoneIds.first);
  await limit(scene.phoneIds.second);
  expect(await scene.feed()).toEqual({ at: expect.any(Date) });
  expect(await scene.find()).toMatchObject({ phone_id: null, from: null, status: 'pending' });
  expect(await scene.counts()).toEqual([0, 0]);
  expect(await scene.isLookedAt()).toBe(false);
  await app.ctx.pool.query(
    `update phone_health set first_stopped_until = null, facts = facts - 'limit' where phone_id = $1`,
    [scene.phoneIds.second],
  );
  await scene.feed();
  expect(await scene.find()).toMatchObject({ phone_id: scene.phoneIds.second, status: 'pending' });
});

test('in the moments between two messages it stays, and so does what its phone has tried to send', async () => {
  const scene = await makeScene();
  const { pool } = app.ctx;
  await pool.query(
    `insert into phone_sends (account_id, phone_id, message_id, phone_key, contact, at, gap_ms, first_gap_ms)
     select account_id, id, -1, '4470', 'first', now(), 60000, 60000 from phones where id = $1`,
    [scene.phoneIds.first],
  );
  await scene.feed();
  expect(await scene.find()).toMatchObject({ phone_id: scene.phoneIds.first });
  await pool.query(`update messages set network_id = 'tried' where id = $1`, [scene.messageId]);
  await limit(scene.phoneIds.first);
  await scene.feed();
  expect(await scene.find()).toMatchObject({ phone_id: scene.phoneIds.first });
});
