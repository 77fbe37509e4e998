import { afterAll, beforeAll, expect, test } from 'vitest';
import type { DomainEvent } from '#server/domain-events.ts';
import { inTransaction } from '#server/context.ts';
import { addProject, messageSent, startTestContext } from '#tests/support/project-fixture.ts';
import type { ProjectOwner, TestContext } from '#tests/support/project-fixture.ts';
import { getFlowRow } from '../queries.ts';
import { settleDeliveries } from './settle-deliveries.ts';

let on: TestContext;

beforeAll(async () => {
  on = await startTestContext();
});

afterAll(() => on.close());

type Scene = { owner: ProjectOwner; flowId: number; messageId: number };

/** A flow with one delivery that was handed to a phone. */
async function scene(): Promise<Scene> {
  const { db } = on.ctx;
  const owner = await addProject(on.ctx, null);
  const now = new Date();
  const { id: flowId } = await db
    .insertInto('flows')
    .values({
      account_id: owner.accountId,
      project_id: owner.projectId,
      name: 'Welcome',
      message: 'Hello',
      conditions: '[]',
      duration: '{}',
      frequency: '{}',
      is_active: false,
      queued_count: 1,
      paced_until: now,
      created_at: now,
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const row = { account_id: owner.accountId, flow_id: flowId, profile_id: 7 };
  const { id: messageId } = await db
    .insertInto('messages')
    .values({
      ...row,
      project_id: owner.projectId,
      direction: 'outgoing',
      recipient: '14155550100',
      body: 'Hello',
      status: 'sending',
      error: 'Delivery unknown',
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('flow_deliveries')
    .values({
      ...row,
      project_id: owner.projectId,
      phone: '14155550100',
      status: 'queued',
      message_id: messageId,
      created_at: now,
    })
    .execute();
  await on.ctx.pool.query(`insert into flow_profiles values ($1, $2, 7, 'infinity')`, [owner.accountId, flowId]);
  return { owner, flowId, messageId };
}

function newsOf({ owner, flowId, messageId }: Scene, status: 'sent' | 'failed'): DomainEvent {
  const event = messageSent(owner, messageId);
  if (event.type !== 'message.sent') throw new Error('The fixture has changed');
  const data = { ...event.data, flow_id: flowId };
  if (status === 'sent') return { ...event, data };
  return { ...event, type: 'message.failed', data: { ...data, status, sent_at: null, error: 'Delivery unknown' } };
}

const settle = (...events: DomainEvent[]) => inTransaction(on.ctx, (tx) => settleDeliveries(tx, events));

async function stateOf({ owner, flowId }: Scene) {
  const ctx = { ...on.ctx, account: { id: owner.accountId, timezone: 'UTC' } };
  const { queued_count: queued, sent_count: sent, failed_count: failed } = await getFlowRow(ctx, flowId);
  const { status, reason, last_at } = await on.ctx.db
    .selectFrom('flow_deliveries as d')
    .innerJoin('flow_profiles as g', 'g.flow_id', 'd.flow_id')
    .select(['d.status', 'd.reason', 'g.last_at'])
    .where('d.flow_id', '=', flowId)
    .executeTakeFirstOrThrow();
  return { status, reason, counts: [queued, sent, failed], isOpen: last_at === Number.POSITIVE_INFINITY };
}

test('sent, reported again, and failed later', async () => {
  const delivery = await scene();
  expect(await stateOf(delivery)).toEqual({ status: 'queued', reason: null, counts: [1, 0, 0], isOpen: true });
  const sent = { status: 'sent', reason: null, counts: [0, 1, 0], isOpen: false };
  await settle(newsOf(delivery, 'sent'));
  expect(await stateOf(delivery)).toEqual(sent);
  await settle(newsOf(delivery, 'sent'));
  expect(await stateOf(delivery)).toEqual(sent);
  await settle(newsOf(delivery, 'failed'));
  expect(await stateOf(delivery)).toMatchObject({ status: 'failed', counts: [0, 0, 1], isOpen: false });
});

test('failed as unknown, then known to have arrived', async () => {
  const delivery = await scene();
  await settle(newsOf(delivery, 'failed'));
  expect(await stateOf(delivery)).toEqual({
    status: 'failed',
    reason: 'Delivery unknown',
    counts: [0, 0, 1],
    isOpen: false,
  });
  await settle(newsOf(delivery, 'sent'));
  expect(await stateOf(delivery)).toEqual({ status: 'sent', reason: null, counts: [0, 1, 0], isOpen: false });
});

test('late news of an earlier message leaves the guard of the one under way', async () => {
  const delivery = await scene();
  await settle(newsOf(delivery, 'failed'));
  await on.ctx.pool.query(`update flow_profiles set last_at = 'infinity' where flow_id = $1`, [delivery.flowId]);
  await settle(newsOf(delivery, 'sent'));
  expect(await stateOf(delivery)).toMatchObject({ status: 'sent', isOpen: true });
});

test('news of several flows, and of messages that are nobody of theirs', async () => {
  const [first, second] = [await scene(), await scene()];
  const stray = messageSent(first.owner, second.messageId);
  const foreign = newsOf({ ...second, owner: first.owner }, 'sent');
  await settle(stray, foreign);
  expect(await stateOf(second)).toMatchObject({ status: 'queued', counts: [1, 0, 0] });
  await settle(newsOf(second, 'failed'), newsOf(first, 'sent'));
  expect(await stateOf(first)).toMatchObject({ status: 'sent', counts: [0, 1, 0] });
  expect(await stateOf(second)).toMatchObject({ status: 'failed', counts: [0, 0, 1] });
});
