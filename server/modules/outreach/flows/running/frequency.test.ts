import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFlow, getFlow, runFlow, updateFlow } from '#contracts/flows.ts';
import type { Flow } from '#contracts/flows.ts';
import { createProfile } from '#contracts/profiles.ts';
import { ensurePartitions } from '#server/platform/db/partitions.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

// Half past six in the evening in New York, two days before its clocks jump.
const clock = createTestClock(new Date('2026-03-06T23:30:00.000Z'));
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ clock });
  // The database dates records by its own clock.
  await ensurePartitions(app.ctx.db, new Date());
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

async function flowOf(frequency: object): Promise<{ customer: Customer; flow: Flow }> {
  const customer = await signUpSubscriber(app.url, 'America/New_York');
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id);
  await customer.api.call(createProfile, { body: { phone: '14155550100', email: 'ada@example.com' } });
  const { body: flow } = await customer.api.call(createFlow, {
    body: {
      name: 'Reminder',
      conditions: [{ fieldPath: 'email', operator: 'exists' }],
      duration: { type: 'last_days', days: 365, dateFieldPath: 'updated_at' },
      action: { projectId: project.id, message: 'Hello' },
      frequency: frequency as never,
      active: false,
    },
  });
  return { customer, flow };
}

/** Runs it, and waits until what it sent has gone out. */
async function run({ customer, flow }: { customer: Customer; flow: Flow }): Promise<number> {
  const params = { flowId: flow.id };
  const { body } = await customer.api.call(runFlow, { params });
  await expect.poll(async () => (await customer.api.call(getFlow, { params })).body.counts.waiting).toBe(0);
  return body.queued;
}

test('once in a lifetime', async () => {
  const on = await flowOf({ type: 'lifetime' });
  expect(await run(on)).toBe(1);
  clock.advance(24 * hourMs);
  expect(await run(on)).toBe(0);
});

test('once in so many hours, to the millisecond', async () => {
  const on = await flowOf({ type: 'once_per_hours', value: 5 });
  expect(await run(on)).toBe(1);
  clock.advance(5 * hourMs - 1);
  expect(await run(on)).toBe(0);
  clock.advance(1);
  expect(await run(on)).toBe(1);
  expect(await run(on)).toBe(0);
});

test("once in so many days of the account's calendar, a short one among them", async () => {
  const on = await flowOf({ type: 'once_per_days', value: 2 });
  expect(await run(on)).toBe(1);
  clock.advance(47 * hourMs - 1);
  expect(await run(on)).toBe(0);
  clock.advance(1);
  expect(await run(on)).toBe(1);
});

test('another frequency applies to what was delivered before', async () => {
  const on = await flowOf({ type: 'lifetime' });
  const change = (frequency: object) =>
    on.customer.api.call(updateFlow, { params: { flowId: on.flow.id }, body: { frequency: frequency as never } });
  expect(await run(on)).toBe(1);
  clock.advance(3 * hourMs);
  await change({ type: 'once_per_hours', value: 4 });
  expect(await run(on)).toBe(0);
  await change({ type: 'once_per_hours', value: 3 });
  expect(await run(on)).toBe(1);
  await change({ type: 'lifetime' });
  clock.advance(24 * hourMs);
  expect(await run(on)).toBe(0);
});
