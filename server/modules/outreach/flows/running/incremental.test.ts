import { Kysely, PostgresDialect } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFlow, getFlow, updateFlow } from '#contracts/flows.ts';
import { createProfile, deleteProfile } from '#contracts/profiles.ts';
import type { Database } from '#server/database.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { insertProfiles } from '#tests/support/audience.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { createRandom } from '#tests/support/random.ts';
import type { Random } from '#tests/support/random.ts';
import { findFlowRow } from '../queries.ts';
import type { FlowRow } from '../tables.ts';
import { findUntaken } from './search.ts';
import { takeProfiles } from './take-profiles.ts';

// No worker runs flows behind the test's back.
const clock = createTestClock();
let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' }, clock });
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

type Scene = { customer: Customer; flowId: number };

async function scene(settings: object): Promise<Scene> {
  const customer = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(customer);
  // So that the fields are known.
  const custom_fields = { plan: 'free', seen_at: '2020-01-01' };
  await customer.api.call(createProfile, { body: { phone: '14155550199', custom_fields } });
  const body = { name: 'Welcome', action: { projectId, message: 'Hello' }, ...settings } as never;
  return { customer, flowId: (await customer.api.call(createFlow, { body })).body.id };
}

const scopeOf = ({ customer }: Scene) => ({ ...app.ctx, account: { id: customer.id, timezone: 'Europe/Vienna' } });

async function flowOf(on: Scene): Promise<FlowRow> {
  const flow = await findFlowRow(scopeOf(on), on.flowId);
  if (!flow) throw new Error('The flow is gone');
  return flow;
}

const search = (on: Scene, flow: FlowRow) => findUntaken(scopeOf(on), { flow, after: 0, isByHand: false });
const run = (on: Scene) => takeProfiles(scopeOf(on), { flowId: on.flowId, isByHand: false, mustStop: () => false });

/** Takes a single step of a run that goes on later. */
const turn = (on: Scene, sliceSize: number) =>
  takeProfiles(scopeOf(on), { flowId: on.flowId, isByHand: false, mustStop: () => true, sliceSize });

const hourMs = 3_600_000;

/** Profiles come, change and go; messages are settled and skipped; hours and days pass. */
async function shake(on: Scene, random: Random): Promise<void> {
  const { pool } = app.ctx;
  const accountId = on.customer.id;
  const now = () => clock.now().toISOString();
  const seenAt = () => new Date(clock.now().getTime() + (random.below(96) - 72) * hourMs).toISOString();
  const fields = () => JSON.stringify({ plan: random.chance(0.6) ? 'pro' : 'free', seen_at: seenAt() });
  const some = 'account_id = $1 and id % 5 = $2';
  const which = random.below(5);
  switch (random.below(6)) {
    case 0:
      await pool.query(
        `insert into profiles (account_id, phone, phone_given, national_number, phone_is_valid, custom_fields, status, created_at, updated_at)
         select $1, (1415555000000 + $4::bigint + i)::text, '', '', true, $2, 'active', $3, $3
           from generate_series(1, 4) as i on conflict do nothing`,
        [accountId, fields(), now(), random.below(900_000)],
      );
      return;
    case 1:
      await pool.query(`update profiles set custom_fields = $3, updated_at = $4 where ${some}`, [
        accountId,
        which,
        fields(),
        now(),
      ]);
      return;
    case 2:
      await pool.query(`update flow_profiles set last_at = $2 where account_id = $1 and last_at = 'infinity'`, [
        accountId,
        now(),
      ]);
      return;
    case 3:
      clock.advance(random.below(50 * hourMs));
      return;
    case 4:
      clock.advance(random.below(60_000));
      return;
    case 5:
      await pool.query(`delete from profiles where account_id = $1 and id % 15 = $2`, [accountId, random.below(15)]);
  }
}

const isPro = { fieldPath: 'custom_fields.plan', operator: 'equals', value: 'pro' };

test.each<[string, object]>([
  ['changed lately', { conditions: [isPro], frequency: { type: 'lifetime' } }],
  [
    'old enough',
    {
      conditions: [isPro, { fieldPath: 'created_at', operator: 'before_days_ago', value: '2' }],
      duration: { type: 'last_days', days: 30 },
    },
  ],
  [
    'a date of theirs is old enough',
    {
      conditions: [{ fieldPath: 'custom_fields.seen_at', operator: 'before_hours_ago', value: '20' }],
      duration: { type: 'last_days', days: 9 },
    },
  ],
  [
    'a date of theirs has come',
    { conditions: [isPro], duration: { type: 'last_hours', hours: 30, dateFieldPath: 'custom_fields.seen_at' } },
  ],
  [
    'again after hours',
    { conditions: [isPro], duration: { type: 'last_days', days: 30 }, frequency: { type: 'once_per_hours', value: 5 } },
  ],
  [
    'again after days',
    {
      conditions: [{ ...isPro, operator: 'not_equals' }],
      duration: { type: 'last_days', days: 30 },
      frequency: { type: 'once_per_days', value: 2 },
    },
  ],
])('%s: a run that reads what may have come to match finds whom a full search finds', async (_name, settings) => {
  const on = await scene(settings);
  const random = createRandom(on.flowId * 7919);
  let found = 0;
  for (let round = 0; round < 45; round += 1) {
    for (let step = 0; step < 3; step += 1) await shake(on, random);
    const flow = await flowOf(on);
    const all = await search(on, { ...flow, searched_until: null });
    expect(await search(on, flow)).toEqual(all);
    expect((await run(on)).queued).toBe(all.length);
    expect((await flowOf(on)).searched_until).not.toBeNull();
    found += all.length;
  }
  expect(found).toBeGreaterThan(10);
});

test('only what has changed since the last run is read, until the settings change', async () => {
  const on = await scene({ conditions: [{ fieldPath: 'name', operator: 'exists' }] });
  await on.customer.api.call(createProfile, { body: { phone: '14155550101', name: 'Ada' } });
  expect((await run(on)).queued).toBe(1);
  clock.advance(hourMs);
  await run(on);
  // Profiles that were searched already are not looked at again: with the guard gone, only a full search finds her.
  await app.ctx.pool.query('delete from flow_profiles where flow_id = $1', [on.flowId]);
  expect((await run(on)).queued).toBe(0);
  const frequency = { type: 'once_per_hours', value: 24 } as const;
  await on.customer.api.call(updateFlow, { params: { flowId: on.flowId }, body: { frequency } });
  expect((await run(on)).queued).toBe(1);
});

test('a person who is deleted and added anew, however the number is written, had the message already', async () => {
  const on = await scene({ conditions: [{ fieldPath: 'name', operator: 'exists' }] });
  const add = async (phone: string) =>
    (await on.customer.api.call(createProfile, { body: { phone, name: 'Ana' } })).body;
  const first = await add('5491123456789');
  expect((await run(on)).queued).toBe(1);
  await app.ctx.pool.query('update flow_profiles set last_at = $2 where flow_id = $1', [on.flowId, clock.now()]);
  await on.customer.api.call(deleteProfile, { params: { profileId: first.id } });
  const second = await add('5491123456789');
  expect((await run(on)).queued).toBe(0);
  await on.customer.api.call(deleteProfile, { params: { profileId: second.id } });
  await add('541123456789');
  expect((await run(on)).queued).toBe(0);
  await add('5491123456780');
  expect((await run(on)).queued).toBe(1);
});

test('guards from before there were keys are given theirs first, of a deleted profile by its last delivery', async () => {
  const on = await scene({ conditions: [{ fieldPath: 'name', operator: 'exists' }] });
  const add = async (phone: string) =>
    (await on.customer.api.call(createProfile, { body: { phone, name: 'Ana' } })).body;
  const gone = await add('5491123456789');
  await add('14155550101');
  expect((await run(on)).queued).toBe(2);
  await app.ctx.pool.query('update flow_profiles set last_at = $2, phone_key = null where flow_id = $1', [
    on.flowId,
    clock.now(),
  ]);
  await app.ctx.pool.query('update flows set guards_keyed_until = 0 where id = $1', [on.flowId]);
  await on.customer.api.call(deleteProfile, { params: { profileId: gone.id } });
  await add('541123456789');
  expect((await run(on)).queued).toBe(0);
  const { rows } = await app.ctx.pool.query(
    `select count(g.phone_key) as keyed, max(guards_keyed_until) as until from flows f
       join flow_profiles g on g.flow_id = f.id where f.id = $1`,
    [on.flowId],
  );
  expect(rows).toEqual([{ keyed: 2, until: null }]);
});

test('after the frequency the person gets it once again, whichever profile it is by then', async () => {
  const on = await scene({
    conditions: [{ fieldPath: 'name', operator: 'exists' }],
    frequency: { type: 'once_per_hours', value: 2 },
  });
  const add = async (phone: string) =>
    (await on.customer.api.call(createProfile, { body: { phone, name: 'Ana' } })).body;
  const first = await add('5491123456789');
  await run(on);
  await app.ctx.pool.query('update flow_profiles set last_at = $2 where flow_id = $1', [on.flowId, clock.now()]);
  await on.customer.api.call(deleteProfile, { params: { profileId: first.id } });
  await add('541123456789');
  expect((await run(on)).queued).toBe(0);
  clock.advance(3 * hourMs);
  expect((await run(on)).queued).toBe(1);
});

test('switched on with skip_current, those who match already get nothing, and those who come do', async () => {
  const on = await scene({ conditions: [{ fieldPath: 'name', operator: 'exists' }], active: false });
  await on.customer.api.call(createProfile, { body: { phone: '14155550101', name: 'Ada' } });
  clock.advance(1_000);
  await on.customer.api.call(updateFlow, { params: { flowId: on.flowId }, body: { active: true, skip_current: true } });
  clock.advance(1_000);
  await on.customer.api.call(createProfile, { body: { phone: '14155550102', name: 'Grace' } });
  expect((await run(on)).queued).toBe(1);
  const { rows } = await app.ctx.pool.query('select phone from flow_deliveries where flow_id = $1', [on.flowId]);
  expect(rows).toEqual([{ phone: '14155550102' }]);
  const { body } = await on.customer.api.call(getFlow, { params: { flowId: on.flowId } });
  expect(body.counts.waiting).toBe(1);
});

const named = { conditions: [{ fieldPath: 'name', operator: 'exists' }] };

/** So many who have just come. */
async function addPeople({ customer }: Scene, count: number): Promise<void> {
  await insertProfiles(app.ctx.pool, customer.id, count);
  await app.ctx.pool.query('update profiles set updated_at = $2 where account_id = $1 and name is not null', [
    customer.id,
    clock.now(),
  ]);
}

test.each([
  ['of a table without statistics', false],
  ['whose statistics are from before its people came', true],
])('a first search that goes on over many turns reads each profile a few times, %s', async (_, isAnalysed) => {
  const on = await scene(named);
  const people = 5_000;
  if (isAnalysed) await asOwner(app, 'analyze profiles');
  await addPeople(on, people);
  const { connectionString } = app;
  const pool = createPool({ connectionString, logger: app.ctx.logger, maxConnections: 1 });
  await using db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) });
  const profilesRead = async () => {
    await pool.query('select pg_stat_force_next_flush()');
    const { rows } = await pool.query<{ read: number }>(
      `select (seq_tup_read + idx_tup_fetch)::int as read from pg_stat_user_tables where relname = 'profiles'`,
    );
    return rows[0]?.read ?? 0;
  };
  // So few are read as fast without an index.
  await pool.query('set enable_seqscan = off');
  const before = await profilesRead();
  let queued = 0;
  let isComplete = false;
  while (!isComplete) {
    const options = { flowId: on.flowId, isByHand: false, mustStop: () => true, sliceSize: 500 };
    const result = await takeProfiles({ ...scopeOf(on), db }, options);
    ({ isComplete } = result);
    queued += result.queued;
  }
  const read = (await profilesRead()) - before;
  expect(queued).toBe(people);
  expect(read).toBeLessThan(6 * people);
});

test('while a first search goes on, who comes to match behind it is found once it is over', async () => {
  const on = await scene(named);
  await addPeople(on, 2_000);
  expect(await turn(on, 800)).toEqual({ queued: 500, isComplete: false });
  expect((await turn(on, 800)).queued).toBe(500);
  const { rows } = await app.ctx.pool.query(
    `update profiles set name = 'Late', updated_at = $2
      where id = (select min(id) from profiles where account_id = $1) returning id`,
    [on.customer.id, clock.now()],
  );
  for (let result = await turn(on, 800); !result.isComplete;) result = await turn(on, 800);
  expect((await run(on)).queued).toBe(rows.length);
});

test('settings that change amid a first search begin it anew', async () => {
  const on = await scene(named);
  await addPeople(on, 1_200);
  await turn(on, 600);
  await app.ctx.pool.query('delete from flow_profiles where flow_id = $1', [on.flowId]);
  const frequency = { type: 'once_per_hours', value: 24 } as const;
  await on.customer.api.call(updateFlow, { params: { flowId: on.flowId }, body: { frequency } });
  expect((await run(on)).queued).toBe(1_200);
});

test('changes that are more than one search brings are gone on with where they were', async () => {
  const on = await scene(named);
  await run(on);
  clock.advance(60_000);
  await addPeople(on, 1_200);
  const first = await turn(on, 600);
  const { rows } = await app.ctx.pool.query('select count(*)::int as n from flows where id = $1 and pass_after > 0', [
    on.flowId,
  ]);
  expect([first, rows]).toEqual([{ queued: 500, isComplete: false }, [{ n: 1 }]]);
  expect((await run(on)).queued).toBe(700);
  expect((await flowOf(on)).pass_after).toBeNull();
});
