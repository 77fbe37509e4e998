import { afterAll, beforeAll, expect, test } from 'vitest';
import { putField } from '#contracts/fields.ts';
import { createFlow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { countersOf } from '#server/process-counters.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { takeProfiles } from './take-profiles.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api', SHADOW_EVALUATOR: 'true' } });
});
afterAll(() => app[Symbol.asyncDispose]());

const counted = () =>
  Object.fromEntries(
    countersOf(app.ctx)
      .report()
      .filter(({ name }) => name === 'dovepost_shadow_answers_total')
      .map(({ labels, value }) => [labels?.['answer'], value]),
  );

test('answers in memory are compared with those of the search, and a difference is counted', async () => {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  const path = 'custom_fields.visits';
  for (const [index, visits] of [1, 5, '7', 'many'].entries()) {
    await customer.api.call(createProfile, { body: { phone: `+1415555040${index}`, custom_fields: { visits } } });
  }
  await customer.api.call(putField, { params: { path }, body: { type: 'number' } });
  const expression = { field: path, op: 'gt' as const, value: 3 };
  const { body: flow } = await customer.api.call(createFlow, {
    body: { name: 'Regulars', action: { projectId, message: 'Hello' }, expression },
  });
  const ctx = { ...app.ctx, account: { id: customer.id, timezone: 'UTC' } };
  const run = () => takeProfiles(ctx, { flowId: flow.id, isByHand: false, mustStop: () => false });
  expect((await run()).queued).toBe(2);
  expect(counted()).toEqual({ same: 4 });
  // An index without its values, as no trigger leaves it.
  await app.ctx.pool.query('update typed_fields set filled_at = now() where account_id = $1', [customer.id]);
  await app.ctx.pool.query('delete from typed_values where account_id = $1', [customer.id]);
  await run();
  expect(counted()).toEqual({ same: 5, different: 3 });
});
