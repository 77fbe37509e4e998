import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { inTransaction } from '#server/context.ts';
import { tryTurn } from '#server/platform/db/shared-names.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createFigureWatch } from './watch-figures.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' } });
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  await app.ctx.pool.query(
    `insert into phones (account_id, project_id, number, connector, status, status_changed_at, wanted, created_at)
     select $1, $2, 5511900000000 + n, 'sandbox', 'connected', now(), 'online', now() from generate_series(1, 3) n`,
    [customer.id, projectId],
  );
});
afterAll(() => app[Symbol.asyncDispose]());

/** The phones that a process shows once it has looked. */
async function shownByAnother(): Promise<number> {
  const watch = createFigureWatch(app.ctx);
  await watch.start();
  onTestFinished(() => watch.stop());
  await expect.poll(() => watch.health().tasks.every(({ lastSuccessAt }) => lastSuccessAt !== undefined)).toBe(true);
  return watch.health().gauges.reduce((sum, { value }) => sum + value, 0);
}

test('phones are counted by one process, and shown by all', async () => {
  expect(await shownByAnother()).toBe(3);
  await app.ctx.pool.query(`update phones set number = null where number = '5511900000003'`);
  expect(await shownByAnother()).toBe(3);
  await app.ctx.pool.query(`update counted_figures set counted_at = counted_at - interval '1 minute'`);
  await inTransaction(app.ctx, async (tx) => {
    // Another is at it: nobody waits.
    expect(await tryTurn(tx.db, 'figures.phones')).toBe(true);
    expect(await shownByAnother()).toBe(3);
  });
  expect(await shownByAnother()).toBe(2);
});
