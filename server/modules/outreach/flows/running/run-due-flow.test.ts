import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFlow, getFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { wakeFlows } from '../wake-flows.ts';
import { runDueFlow } from './run-due-flow.ts';
import { noteRunEnd } from './run-lease.ts';

// No worker runs flows behind the test's back.
let app: TestApplication;
let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  app = await startTestApplication({
    connectionString: database.applicationConnectionString,
    env: { ROLES: 'api' },
  });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.drop();
});

async function scene() {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const { body: flow } = await customer.api.call(createFlow, {
    body: {
      name: 'Welcome',
      conditions: [{ fieldPath: 'name', operator: 'exists' }],
      action: { projectId, message: 'Hello' },
    },
  });
  await customer.api.call(createProfile, { body: { phone: '14155550101', name: 'Ada' } });
  const due = { accountId: customer.id, id: flow.id, timezone: 'UTC' };
  const draining = new AbortController().signal;
  return {
    run: () => runDueFlow(app.ctx, due, { draining, onQueued: () => undefined }),
    get: async () => (await customer.api.call(getFlow, { params: { flowId: flow.id } })).body,
    flowId: flow.id,
    accountId: customer.id,
  };
}

test('a run that failed is said, with the time of the next; one that succeeds takes it back', async () => {
  const on = await scene();
  await database.pool.query('alter table flow_deliveries rename to flow_deliveries_away');
  await on.run();
  const failed = await on.get();
  expect(failed).toMatchObject({ last_error: 'Something went wrong on our side while searching for profiles.' });
  expect(new Date(failed.next_try_at ?? 0).getTime()).toBeGreaterThan(Date.now());
  await database.pool.query('alter table flow_deliveries_away rename to flow_deliveries');
  await app.ctx.pool.query(`update flows set next_run_at = now() - interval '1 minute' where id = $1`, [on.flowId]);
  await on.run();
  expect(await on.get()).toMatchObject({ last_error: null, next_try_at: null, counts: { waiting: 1 } });
});

test('each failed run in a row doubles the pause, which profiles do not cut short, and one that succeeds ends it', async () => {
  const on = await scene();
  const pauses: number[] = [];
  await database.pool.query('alter table flow_deliveries rename to flow_deliveries_away');
  for (let failure = 0; failure < 3; failure += 1) {
    await app.ctx.pool.query(`update flows set next_run_at = now() - interval '1 minute' where id = $1`, [on.flowId]);
    const before = Date.now();
    await on.run();
    await wakeFlows(app.ctx, [{ kind: 'profiles', accountId: on.accountId }]);
    const { next_try_at: nextTryAt } = await on.get();
    pauses.push(Math.round((new Date(nextTryAt ?? 0).getTime() - before) / 60_000));
  }
  await database.pool.query('alter table flow_deliveries_away rename to flow_deliveries');
  expect(pauses).toEqual([1, 2, 4]);
  await app.ctx.pool.query(`update flows set next_run_at = now() - interval '1 minute' where id = $1`, [on.flowId]);
  await on.run();
  const { rows } = await app.ctx.pool.query('select failed_runs, last_error from flows where id = $1', [on.flowId]);
  expect(rows).toEqual([{ failed_runs: 0, last_error: null }]);
});

test('the pause after a run stands though profiles have made the flow due meanwhile', async () => {
  const on = await scene();
  const now = app.ctx.clock.now();
  const leaseEnd = new Date(now.getTime() + 55_000);
  // An import moved it forward while it ran.
  await app.ctx.pool.query('update flows set next_run_at = $2 where id = $1', [on.flowId, now]);
  await noteRunEnd(app.ctx, { ...on, leaseEnd, tookMs: 15_000, isComplete: true, lastError: null, failedRuns: 0 });
  const { rows } = await app.ctx.pool.query<{ next_run_at: Date; paced_until: Date }>(
    'select next_run_at, paced_until from flows where id = $1',
    [on.flowId],
  );
  expect(rows[0]?.paced_until.getTime()).toBeGreaterThanOrEqual(now.getTime() + 60_000);
  expect(rows[0]?.next_run_at).toEqual(rows[0]?.paced_until);
});
