import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import type { Listener } from '../db/listen.ts';
import { createListener } from '../db/listen.ts';
import { createLogger } from '../logger.ts';
import type { Service } from '../service.ts';
import { hourlyAt } from './rounds.ts';
import { noTraces } from '../tracing/traces.ts';
import type { FinishedSpan, Traces } from '../tracing/traces.ts';
import { createSchedule } from './schedule.ts';

const logger = createLogger('silent');
let database: TestDatabase;
let listener: Listener;
const started: Service[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  listener = createListener({ connectionString: database.connectionString, logger });
  await listener.start();
});

afterEach(async () => {
  for (const schedule of started.splice(0)) await schedule.stop();
  await listener.close();
  await database.drop();
});

async function start(
  run: () => Promise<unknown>,
  { traces = noTraces, ...options }: { leaseMs?: number; traces?: Traces } = {},
): Promise<Service> {
  const job = { name: 'clean-up', rounds: hourlyAt(33), run };
  const platform = { db: database.db, listener, logger, traces };
  const schedule = createSchedule(platform, [job], { pollMs: 10, drainMs: 0, ...options });
  started.push(schedule);
  await schedule.start();
  await expect.poll(jobRow).toBeDefined();
  return schedule;
}

async function jobRow() {
  const { rows } = await database.pool.query<{
    failures: number;
    is_due: boolean;
    is_leased: boolean;
    waits_s: number;
  }>(
    `select failures, next_run_at <= now() as is_due, coalesce(leased_until > now(), false) as is_leased,
            extract(epoch from next_run_at - now())::float8 as waits_s
       from scheduled_jobs where name = 'clean-up'`,
  );
  return rows[0];
}

const makeDue = () => database.pool.query('update scheduled_jobs set next_run_at = now()');

test('a new job waits for its first round', async () => {
  let runs = 0;
  const schedule = await start(async () => (runs += 1));
  await expect.poll(() => schedule.health().tasks.find(({ name }) => name === 'schedule')?.lastSuccessAt).toBeDefined();
  expect(runs).toBe(0);
  expect(await jobRow()).toMatchObject({ is_due: false, is_leased: false });
});

test('of several processes one runs each round', async () => {
  let runs = 0;
  const run = async () => (runs += 1);
  for (let process = 0; process < 4; process += 1) await start(run);
  for (let round = 1; round <= 5; round += 1) {
    await makeDue();
    await expect.poll(jobRow).toMatchObject({ is_due: false, is_leased: false });
    expect(runs).toBe(round);
  }
});

test('a job that fails is retried within two minutes, and counts as an error until it succeeds', async () => {
  let isBroken = true;
  const schedule = await start(() => (isBroken ? Promise.reject(new Error('broken')) : Promise.resolve()));
  await makeDue();
  await expect.poll(jobRow).toMatchObject({ failures: 1, is_due: false, is_leased: false });
  expect((await jobRow())?.waits_s).toBeLessThan(120);
  expect(schedule.health().tasks).toContainEqual(
    expect.objectContaining({ name: 'schedule.clean-up', errors: 1, isFailing: false }),
  );
  isBroken = false;
  await makeDue();
  await expect.poll(jobRow).toMatchObject({ failures: 0 });
});

test('a job that failed here and then succeeded in another process waits for nothing here any more', async () => {
  const schedule = await start(() => Promise.reject(new Error('broken')));
  await makeDue();
  await expect.poll(jobRow).toMatchObject({ failures: 1, is_due: false, is_leased: false });
  const lagMs = () => schedule.health().tasks.find(({ name }) => name === 'schedule.clean-up')?.lagMs;
  expect(lagMs()).toBeGreaterThan(0);
  await database.pool.query(
    `update scheduled_jobs set failures = 0, last_success_at = now(), next_run_at = now() + interval '1 hour'`,
  );
  await expect.poll(lagMs).toBe(0);
});

test('a round that takes long stays with its process', async () => {
  const gate = Promise.withResolvers<void>();
  let runs = 0;
  const run = () => {
    runs += 1;
    return gate.promise;
  };
  await start(run, { leaseMs: 200 });
  await start(run, { leaseMs: 200 });
  await makeDue();
  await expect.poll(() => runs).toBe(1);
  const lease = async () => (await database.pool.query('select token, leased_until from scheduled_jobs')).rows[0];
  const before = await lease();
  const afterItsEnd = async () => (await lease()).leased_until.getTime() - before.leased_until.getTime();
  await expect.poll(afterItsEnd).toBeGreaterThan(400);
  expect([runs, (await lease()).token]).toEqual([1, before.token]);
  gate.resolve();
  await expect.poll(jobRow).toMatchObject({ is_due: false, is_leased: false });
});

test('a round whose process has died is run by another, and the dead one ends nothing', async () => {
  const stuck = Promise.withResolvers<void>();
  const dead = await start(() => stuck.promise, { leaseMs: 100 });
  await makeDue();
  await expect.poll(jobRow).toMatchObject({ is_leased: true });
  await dead.stop();
  let runs = 0;
  await start(async () => (runs += 1));
  await expect.poll(() => runs).toBe(1);
  await expect.poll(jobRow).toMatchObject({ is_due: false, is_leased: false });
  const before = await jobRow();
  stuck.reject(new Error('too late'));
  await expect.poll(() => dead.health().tasks.find(({ name }) => name === 'schedule.clean-up')?.errors).toBe(1);
  expect((await jobRow())?.failures).toBe(before?.failures);
});

test('a round leaves a span, with how it failed', async () => {
  const spans: FinishedSpan[] = [];
  const traces = { ...noTraces, isOn: true, record: (span: FinishedSpan) => void spans.push(span) };
  await start(() => Promise.reject(new Error('No room')), { traces });
  await makeDue();
  await expect.poll(() => spans[0]).toMatchObject({ name: 'job clean-up', kind: 'internal', error: 'No room' });
});
