import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { inTransaction } from '#server/context.ts';
import type { Context, Tx } from '#server/context.ts';
import type { DomainEvent } from '#server/domain-events.ts';
import { unpackJson } from '#server/platform/db/packed-json.ts';
import { addProject, messageSent, startTestContext } from '#tests/support/project-fixture.ts';
import type { TestContext } from '#tests/support/project-fixture.ts';
import { recordWebhookEvents } from './record-webhook-events.ts';

let context: TestContext;
let ctx: Context;

beforeEach(async () => {
  context = await startTestContext();
  ctx = context.ctx;
});

afterEach(() => context.close());

const records = () => ctx.db.selectFrom('webhook_records').selectAll().orderBy('id').execute();

/** The events go with the statement that follows. */
const whenStored = (tx: Tx) => sql`select`.execute(tx.db);

const record = (events: readonly DomainEvent[]) => inTransaction(ctx, (tx) => recordWebhookEvents(tx, events));

/** Of many events it is asked first who listens. */
test.each([1, 10])('each event of a project with a URL is stored once, in order: %d', async (count) => {
  const owner = await addProject(ctx, 'http://example.com/hook');
  const silent = await addProject(ctx, null);
  const ids = Array.from({ length: count }, (_, index) => index + 1);
  await record([
    ...ids.map((id) => messageSent(owner, id)),
    messageSent(silent, 1_000),
    messageSent(owner, 2_000),
    { type: 'phone.status_changed', ...owner, at: new Date() },
  ]);
  const rows = await records();
  expect(rows.map(({ payload }) => JSON.parse(unpackJson(payload)).data.id)).toEqual([...ids, 2_000]);
  expect(rows[0]).toMatchObject({ status: 'pending', attempts: 0, url: 'http://example.com/hook', error: null });
  expect(new Set(rows.map(({ event_id }) => event_id)).size).toBe(count + 1);
});

test('a change that did not happen leaves nothing', async () => {
  const owner = await addProject(ctx, 'http://example.com/hook');
  const failing = inTransaction(ctx, async (tx) => {
    await recordWebhookEvents(tx, [messageSent(owner, 1)]);
    await whenStored(tx);
    throw new Error('rolled back');
  });
  await expect(failing).rejects.toThrow('rolled back');
  expect(await records()).toEqual([]);
});

test('a project of another account is not taken', async () => {
  const owner = await addProject(ctx, 'http://example.com/hook');
  const other = await addProject(ctx, 'http://example.com/other');
  await record([messageSent({ accountId: owner.accountId, projectId: other.projectId }, 1)]);
  expect(await records()).toEqual([]);
});

test('sequences have no gap and no double, whatever runs at once and is rolled back', async () => {
  const owners = [await addProject(ctx, 'http://example.com/a'), await addProject(ctx, 'http://example.com/b')];
  const attempts = Array.from({ length: 40 }, (_, index) =>
    inTransaction(ctx, async (tx) => {
      // In both orders: each locks two counts.
      const order = index % 2 === 0 ? owners : owners.toReversed();
      await recordWebhookEvents(
        tx,
        [...order, ...order].map((owner) => messageSent(owner, index + 1)),
      );
      await whenStored(tx);
      if (index % 3 === 0) throw new Error('rolled back');
    }),
  );
  const settled = await Promise.allSettled(attempts);
  expect(settled.filter(({ status }) => status === 'rejected')).toHaveLength(14);
  const rows = await records();
  for (const { projectId } of owners) {
    const own = rows.filter(({ project_id }) => project_id === projectId);
    const sequences = own.map(({ sequence }) => sequence ?? 0).toSorted((a, b) => a - b);
    expect(sequences).toEqual(Array.from({ length: 52 }, (_, index) => index + 1));
    for (const { payload, sequence } of own) expect(JSON.parse(unpackJson(payload)).sequence).toBe(sequence);
  }
});
