import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFlow, deleteFlow, getFlow, listDeliveries, runFlow, updateFlow } from '#contracts/flows.ts';
import type { Flow, FlowChange } from '#contracts/flows.ts';
import { listMessages } from '#contracts/messages.ts';
import { addPhoneNumber } from '#contracts/phone-numbers.ts';
import { createProfile, upsertProfile } from '#contracts/profiles.ts';
import { settleMessages } from '#server/modules/messaging/messages/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { feedFlow } from './feed-flow.ts';

// No worker takes anything out of the outbox, or feeds it behind the test's back.
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' } });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Scene = { customer: Customer; projectId: number; flow: Flow };

/** Adds a phone that counts as connected. */
async function addPhone({ api }: Customer, projectId: number, number: string): Promise<number> {
  const { body } = await api.call(addPhoneNumber, {
    params: { projectId },
    body: { phone_number: number, connector: 'sandbox' },
  });
  await app.ctx.db.updateTable('phones').set({ status: 'connected' }).where('id', '=', body.id).execute();
  return body.id;
}

/** An active flow with a message to two people in the outbox. */
async function scene({ isFed = true } = {}): Promise<Scene> {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  await addPhone(customer, projectId, '442070000001');
  for (const phone of ['14155550101', '14155550102']) {
    await customer.api.call(createProfile, { body: { phone, name: `Person ${phone.slice(-1)}` } });
  }
  const { body: flow } = await customer.api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId, message: 'Hello {name}' },
    },
  });
  const on = { customer, projectId, flow };
  await customer.api.call(runFlow, { params: { flowId: flow.id } });
  if (isFed) await feed(on);
  return on;
}

const feed = ({ customer, flow }: Scene) =>
  feedFlow(app.ctx, { account: { id: customer.id, timezone: 'UTC' }, flowId: flow.id });

const change = async ({ customer, flow }: Scene, body: FlowChange) =>
  (await customer.api.call(updateFlow, { params: { flowId: flow.id }, body })).body;

async function deliveriesOf({ customer, flow }: Scene) {
  const { body } = await customer.api.call(listDeliveries, { params: { flowId: flow.id }, query: {} });
  return body.deliveries.map(({ status, message }) => [status, message]).toReversed();
}

async function messagesOf({ customer, projectId }: Scene) {
  const { body } = await customer.api.call(listMessages, { params: { projectId }, query: {} });
  return body.data.map(({ status, message, error }) => [status, message, error]).toReversed();
}

const guardsOf = async ({ flow }: Scene) =>
  (await app.ctx.db.selectFrom('flow_profiles').select('last_at').where('flow_id', '=', flow.id).execute()).map(
    ({ last_at: lastAt }) => lastAt,
  );

test('a message that a phone gives back after its flow was switched off goes nowhere', async () => {
  const on = await scene();
  const { pool } = app.ctx;
  await pool.query(
    `update messages set status = 'sending', network_id = 'under-way'
      where project_id = $1 and recipient = '14155550101'`,
    [on.projectId],
  );
  await change(on, { active: false });
  await feed(on);
  expect(await messagesOf(on)).toEqual([['pending', 'Hello Person 1', null]]);
  const { rows } = await pool.query<{ phone_id: number }>('select phone_id from messages where project_id = $1', [
    on.projectId,
  ]);
  const until = new Date(Date.now() + 60_000);
  const outcome = { kind: 'held', code: 'account_restricted', reason: 'New chats are locked', until } as const;
  await settleMessages(app.ctx, [
    {
      authority: { kind: 'webhook', phoneId: rows[0]?.phone_id ?? 0, accountId: on.customer.id },
      networkId: 'under-way',
      news: { kind: 'outcome', outcome },
      resendIsHarmless: true,
    },
  ]);
  await pool.query('update flows set next_feed_at = $2 where id = $1 and next_feed_at is not null', [
    on.flow.id,
    app.ctx.clock.now(),
  ]);
  await feed(on);
  expect([await messagesOf(on), await deliveriesOf(on), await guardsOf(on)]).toEqual([[], [], []]);
  const { body } = await on.customer.api.call(getFlow, { params: { flowId: on.flow.id } });
  expect(body.counts).toMatchObject({ waiting: 0, sent: 0, failed: 0 });
});

test('a flow that is switched off gives up what no phone has tried to send, and opens the guards', async () => {
  const on = await scene();
  expect(await deliveriesOf(on)).toEqual([
    ['pending', 'Hello Person 1'],
    ['pending', 'Hello Person 2'],
  ]);
  // The message to this number is on its way already.
  await app.ctx.pool.query(`update messages set status = 'sending', network_id = 'x' where recipient = '14155550101'`);
  expect((await change(on, { active: false })).counts).toMatchObject({ waiting: 1, sent: 0, failed: 0, skipped: 0 });
  expect(await deliveriesOf(on)).toEqual([['pending', 'Hello Person 1']]);
  expect(await messagesOf(on)).toEqual([['pending', 'Hello Person 1', null]]);
  await feed(on);
  expect(await guardsOf(on)).toEqual([Number.POSITIVE_INFINITY]);
  await change(on, { active: true });
  expect((await on.customer.api.call(runFlow, { params: { flowId: on.flow.id } })).body).toMatchObject({ queued: 1 });
  await feed(on);
  expect((await messagesOf(on)).at(-1)).toEqual(['pending', 'Hello Person 2', null]);
  expect((await on.customer.api.call(getFlow, { params: { flowId: on.flow.id } })).body.counts).toMatchObject({
    waiting: 2,
    failed: 0,
  });
});

test('running a flow by hand right after it was switched off takes everybody on anew', async () => {
  const on = await scene();
  await change(on, { active: false });
  expect(await messagesOf(on)).toEqual([]);
  const { body } = await on.customer.api.call(runFlow, { params: { flowId: on.flow.id } });
  expect(body).toMatchObject({ matched: 2, queued: 2 });
  await feed(on);
  expect(await messagesOf(on)).toHaveLength(2);
});

const rename = (on: Scene, phone: string, name: string | null) =>
  on.customer.api.call(upsertProfile, { body: { phone, name } });

async function skipsOf({ customer, flow }: Scene) {
  const { body } = await customer.api.call(listDeliveries, { params: { flowId: flow.id }, query: {} });
  return body.deliveries.flatMap(({ status, phone, error }) => (status === 'skipped' ? [[phone, error]] : []));
}

test('a profile that no longer matches at the hand-over is skipped, and is taken on anew when matching again', async () => {
  const on = await scene({ isFed: false });
  await rename(on, '14155550102', null);
  await feed(on);
  expect(await skipsOf(on)).toEqual([['14155550102', 'No longer matches the conditions']]);
  expect(await messagesOf(on)).toEqual([['pending', 'Hello Person 1', null]]);
  await rename(on, '14155550102', 'Person 2');
  expect((await on.customer.api.call(runFlow, { params: { flowId: on.flow.id } })).body).toMatchObject({ queued: 1 });
});

test.each<[string, FlowChange]>([
  ['conditions', { conditions: [{ fieldPath: 'name', operator: 'equals', value: 'Person 1' }] }],
  ['duration', { duration: { type: 'last_hours', hours: 1, dateFieldPath: 'custom_fields.seen_at' } }],
])('other %s reach what waits in the outbox', async (_name, settings) => {
  const on = await scene();
  await on.customer.api.call(upsertProfile, {
    body: { phone: '14155550101', custom_fields: { seen_at: new Date().toISOString() } },
  });
  await change(on, settings);
  await feed(on);
  expect(await messagesOf(on)).toEqual([['pending', 'Hello Person 1', null]]);
  expect(await skipsOf(on)).toEqual([['14155550102', 'No longer matches the conditions']]);
});

test('another project sends what has not gone out', async () => {
  const on = await scene();
  await app.ctx.pool.query('update plans set project_limit = 2');
  const { id: other } = await makeProject(on.customer);
  await app.ctx.pool.query('update plans set project_limit = 1');
  await addPhone(on.customer, other, '442070000002');
  await change(on, { action: { type: 'send_message', projectId: other, message: on.flow.action.message } });
  expect(await messagesOf(on)).toEqual([]);
  await feed(on);
  expect(await messagesOf({ ...on, projectId: other })).toEqual([
    ['pending', 'Hello Person 1', null],
    ['pending', 'Hello Person 2', null],
  ]);
});

test('a message that waits for a banned phone goes by another; without one the flow says so', async () => {
  const on = await scene();
  const feedLater = async () => {
    await app.ctx.db.updateTable('flows').set({ next_feed_at: new Date() }).where('id', '=', on.flow.id).execute();
    await feed(on);
    return (await on.customer.api.call(getFlow, { params: { flowId: on.flow.id } })).body.waiting_for;
  };
  await app.ctx.db.updateTable('phones').set({ status: 'banned' }).where('account_id', '=', on.customer.id).execute();
  expect(await feedLater()).toBe('no_connected_phone');
  const phoneId = await addPhone(on.customer, on.projectId, '442070000003');
  expect(await feedLater()).toBeNull();
  const { rows } = await app.ctx.pool.query('select distinct phone_id, sender from messages where flow_id = $1', [
    on.flow.id,
  ]);
  expect(rows).toEqual([{ phone_id: phoneId, sender: '442070000003' }]);
});

test('the new text reaches what waits in the outbox', async () => {
  const on = await scene();
  await app.ctx.pool.query(
    `update messages set status = 'sending', network_id = 'x' where account_id = $1 and recipient = '14155550101'`,
    [on.customer.id],
  );
  await change(on, { action: { type: 'send_message', projectId: on.projectId, message: 'Bye {name}' } });
  expect(await deliveriesOf(on)).toEqual([
    ['pending', 'Hello Person 1'],
    ['pending', 'Bye Person 2'],
  ]);
});

test('a deleted flow takes back what has not gone out', async () => {
  const on = await scene();
  await on.customer.api.call(deleteFlow, { params: { flowId: on.flow.id } });
  expect(await messagesOf(on)).toEqual([
    ['failed', 'Hello Person 1', 'The flow was deleted'],
    ['failed', 'Hello Person 2', 'The flow was deleted'],
  ]);
  expect(await guardsOf(on)).toEqual([]);
});
