import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestContext } from '#tests/support/project-fixture.ts';
import type { TestContext } from '#tests/support/project-fixture.ts';
import { inTransaction } from './context.ts';
import type { Context, Tx } from './context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await startTestContext();
});
afterAll(() => context.close());

test('a verb that demands a transaction takes no plain context', async () => {
  const lock = async (tx: Tx) => tx.db.isTransaction;
  const isLockedPlainly = (ctx: Context) =>
    // @ts-expect-error: there is no transaction to hold a lock until
    lock(ctx);
  expect(await isLockedPlainly(context.ctx)).toBe(false);
  expect(await inTransaction(context.ctx, lock)).toBe(true);
});

test('within a transaction, another is the same', async () => {
  await inTransaction(context.ctx, async (tx) => {
    await inTransaction(tx, async (inner) => expect(inner).toBe(tx));
  });
});
