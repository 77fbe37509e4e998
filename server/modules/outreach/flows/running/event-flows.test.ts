import { afterAll, beforeAll, expect, test } from 'vitest';
import { track } from '#contracts/events.ts';
import type { Expression } from '#contracts/expressions.ts';
import { createFlow } from '#contracts/flows.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { takeProfiles } from './take-profiles.ts';

// No worker runs flows behind the test's back.
const clock = createTestClock();
let app: TestApplication;
const dayMs = 86_400_000;

beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' }, clock });
});
afterAll(() => app[Symbol.asyncDispose]());

async function scene(expression: Expression) {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const body = { name: 'Win back', action: { projectId, message: 'Hello' }, expression };
  const { id: flowId } = (await customer.api.call(createFlow, { body })).body;
  const ctx = { ...app.ctx, account: { id: customer.id, timezone: 'UTC' } };
  return {
    run: async () => (await takeProfiles(ctx, { flowId, isByHand: false, mustStop: () => false })).queued,
    tell: (phone: string, event: string, timestamp?: string) =>
      customer.api.call(track, { body: { phone, event, ...(timestamp !== undefined && { timestamp }) } }),
    nextRunAt: async () => {
      const { rows } = await app.ctx.pool.query<{ at: Date }>('select next_run_at as at from flows where id = $1', [
        flowId,
      ]);
      return rows[0]?.at;
    },
  };
}

const twice: Expression = { event: 'Ordered', times: { op: '>=', n: 2 }, window: { last: 30, unit: 'days' } };

test('a flow finds who comes to match by an event, each once', async () => {
  const on = await scene(twice);
  await on.tell('14155550401', 'Ordered');
  expect(await on.run()).toBe(0);
  clock.advance(dayMs);
  // Searched before, so that only those are looked at of whom something came.
  expect(await on.run()).toBe(0);
  await on.tell('14155550401', 'Ordered');
  await on.tell('14155550402', 'Ordered');
  await on.tell('14155550402', 'Looked');
  expect(await on.run()).toBe(1);
  await on.tell('14155550401', 'Ordered');
  expect(await on.run()).toBe(0);
  await on.tell('14155550402', 'Ordered', new Date(clock.now().getTime() - 29 * dayMs).toISOString());
  expect(await on.run()).toBe(1);
});

test('a flow finds who comes to match as time passes', async () => {
  const quiet: Expression = {
    all: [
      { event: 'Ordered', times: { op: '>=', n: 1 } },
      { not: { ...twice, times: { op: '>=', n: 1 }, window: { last: 7, unit: 'days' } } },
    ],
  };
  const on = await scene(quiet);
  await on.tell('14155550403', 'Ordered');
  expect(await on.run()).toBe(0);
  clock.advance(6.5 * dayMs);
  expect(await on.run()).toBe(0);
  await on.tell('14155550404', 'Ordered');
  clock.advance(dayMs);
  expect(await on.run()).toBe(1);
  clock.advance(5 * dayMs);
  expect(await on.run()).toBe(0);
  clock.advance(2 * dayMs);
  expect(await on.run()).toBe(1);
});
