import { afterAll, beforeAll, expect, test } from 'vitest';
import { track } from '#contracts/events.ts';
import type { Expression } from '#contracts/expressions.ts';
import { createFlow, updateFlow } from '#contracts/flows.ts';
import { createProfile, deleteProfile, updateProfile } from '#contracts/profiles.ts';
import { addSuppression, removeSuppression } from '#contracts/suppressions.ts';
import { createTopic, putProfileTopics } from '#contracts/topics.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { makeDue, takeTurn } from '#server/modules/audience/membership/index.ts';
import { segmentSource } from '#server/modules/audience/segments/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createRandom } from '#tests/support/random.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { untilSomebodyWaits } from '#tests/support/until-somebody-waits.ts';
import { findFlowRow, lockFlow } from '../queries.ts';
import { wakeFlows } from '../wake-flows.ts';
import { findWatch, goesByCandidates } from './candidates.ts';
import { flowSource } from './flow-source.ts';
import { findUntaken } from './search.ts';
import { takeProfiles } from './take-profiles.ts';

// No worker runs flows or looks at people behind the test's back.
const clock = createTestClock();
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
let app: TestApplication;
let phones = 0;

beforeAll(async () => {
  app = await startTestApplication({ env: { ROLES: 'api' }, clock });
});
afterAll(() => app[Symbol.asyncDispose]());

type Scene = { owner: Customer; ctx: AccountContext; projectId: number };
type On = Scene & { flowId: number };

async function scene(): Promise<Scene> {
  const owner = await signUpSubscriber(app.url);
  const { id: projectId } = await makeProject(owner);
  return { owner, projectId, ctx: { ...app.ctx, account: { id: owner.id, timezone: 'UTC' } } };
}

async function makeFlow({ owner, projectId }: Scene, settings: object): Promise<number> {
  const body = { name: 'Welcome', action: { projectId, message: 'Hello' }, allow_unknown: true, ...settings } as never;
  return (await owner.api.call(createFlow, { body })).body.id;
}

/** People who are due are looked at. */
async function settle({ owner }: Scene, ctx: Context = app.ctx): Promise<void> {
  await makeDue(ctx, [owner.id]);
  while (await takeTurn(ctx, [segmentSource, flowSource], new AbortController().signal));
}

async function flowOf({ ctx }: Scene, flowId: number) {
  const flow = await findFlowRow(ctx, flowId);
  if (!flow) throw new Error('The flow is gone');
  return flow;
}

async function isHandedOver(on: Scene, flowId: number): Promise<boolean> {
  const flow = await flowOf(on, flowId);
  return goesByCandidates(on.ctx, flow, await findWatch(on.ctx, flow));
}

const run = async ({ ctx }: Scene, flowId: number, mustStop = () => false) =>
  (await takeProfiles(ctx, { flowId, isByHand: false, mustStop })).queued;

/** Other transactions of the database, which may be anybody's, end before anything is built. */
async function handOver(on: Scene, flowId: number): Promise<void> {
  await expect
    .poll(async () => {
      await run(on, flowId);
      await settle(on);
      await run(on, flowId);
      return isHandedOver(on, flowId);
    })
    .toBe(true);
}

async function followed(settings: object): Promise<On> {
  const own = await scene();
  const flowId = await makeFlow(own, settings);
  await handOver(own, flowId);
  return { ...own, flowId };
}

async function person({ owner }: Scene, given: object): Promise<{ id: number; phone: string }> {
  phones += 1;
  const phone = `1415557${2000 + phones}`;
  return { id: (await owner.api.call(createProfile, { body: { phone, ...given } })).body.id, phone };
}

const become = ({ owner }: Scene, profileId: number, given: object) =>
  owner.api.call(updateProfile, { params: { profileId }, body: given });

const isVip: Expression = { field: 'status', op: 'equals', value: 'vip' };

const everybody = async (on: Scene, flowId: number) =>
  findUntaken(on.ctx, {
    flow: { ...(await flowOf(on, flowId)), searched_until: null, pass_after: null },
    after: 0,
    isByHand: false,
  });

const quiet: Expression = {
  all: [
    { event: 'Bought', times: { op: '>=', n: 1 } },
    { not: { event: 'Bought', times: { op: '>=', n: 1 }, window: { last: 3, unit: 'days' } } },
  ],
};
const at = { field: 'custom_fields.at', op: 'within_last', n: 2, unit: 'days' } as const;

test('over a random history, candidates are whom a search of everybody finds, each taken once', async () => {
  const random = createRandom(Number(process.env['SEED'] ?? 5));
  const own = await scene();
  const { body: topic } = await own.owner.api.call(createTopic, { body: { name: 'Offers' } });
  const hours = { type: 'once_per_hours', value: 5 };
  const flows = [
    await makeFlow(own, { expression: isVip }),
    await makeFlow(own, { expression: isVip, frequency: hours }),
    await makeFlow(own, { expression: quiet, frequency: { type: 'once_per_days', value: 2 } }),
    await makeFlow(own, { expression: { any: [at, { all: [isVip, { not: at }] }] }, frequency: hours }),
    await makeFlow(own, { expression: { topic: topic.id, state: 'opted_in' }, frequency: hours }),
    await makeFlow(own, {
      conditions: [{ fieldPath: 'status', operator: 'equals', value: 'vip' }],
      duration: { type: 'last_hours', hours: 30, dateFieldPath: 'custom_fields.at' },
    }),
  ];
  const people: { id: number; phone: string }[] = [];
  const given = () => ({
    status: random.pick(['vip', 'new']),
    custom_fields: { at: new Date(clock.now().getTime() + (random.below(120) - 70) * hourMs).toISOString() },
  });
  const steps: Readonly<Record<string, () => Promise<unknown>>> = {
    make: async () => people.push(await person(own, given())),
    change: () => become(own, random.pick(people).id, given()),
    buy: () =>
      own.owner.api.call(track, {
        body: {
          profile_id: random.pick(people).id,
          event: 'Bought',
          timestamp: new Date(clock.now().getTime() - random.below(5 * 24) * hourMs).toISOString(),
        },
      }),
    choose: () =>
      own.owner.api.call(putProfileTopics, {
        params: { profileId: random.pick(people).id },
        body: { topics: [{ topic_id: topic.id, state: random.pick(['opted_in', 'opted_out'] as const) }] },
      }),
    optOut: () => own.owner.api.call(addSuppression, { body: { phone: random.pick(people).phone } }),
    async optIn() {
      const { rows } = await app.ctx.pool.query<{ phone: string }>(
        'select phone from suppressions where account_id = $1 limit 1',
        [own.owner.id],
      );
      if (!rows[0]) return;
      await own.owner.api.call(removeSuppression, {
        params: { phone: rows[0].phone },
        query: { reason: 'They asked' },
      });
    },
    send: () =>
      app.ctx.pool.query(`update flow_profiles set last_at = $2 where account_id = $1 and last_at = 'infinity'`, [
        own.owner.id,
        clock.now(),
      ]),
    async leave() {
      const [gone] = people.splice(random.below(people.length), 1);
      await own.owner.api.call(deleteProfile, { params: { profileId: gone?.id ?? 0 } });
    },
    wait: async () => clock.advance(random.pick([1_000, minuteMs, 5 * minuteMs])),
    waitLong: async () => clock.advance(random.pick([50 * minuteMs, 11 * hourMs, 50 * hourMs])),
  };
  for (let index = 0; index < 12; index += 1) await steps['make']?.();
  for (const flowId of flows) await handOver(own, flowId);
  const often = ['make', 'change', 'change', 'change', 'buy', 'buy', 'choose', 'send', 'wait', 'optOut', 'optIn'];
  let taken = 0;
  let byCandidates = 0;
  for (let step = 0; step < 40; step += 1) {
    const names = Array.from({ length: 1 + random.below(4) }, () =>
      random.chance(0.15) ? random.pick(['leave', 'waitLong']) : random.pick(often),
    );
    for (const name of names) await steps[name]?.();
    await settle(own);
    for (const [index, flowId] of flows.entries()) {
      const about = { step, names, index };
      const all = await everybody(own, flowId);
      if (await isHandedOver(own, flowId)) byCandidates += all.length;
      expect({ ...about, queued: await run(own, flowId) }).toEqual({ ...about, queued: all.length });
      expect({ ...about, left: await everybody(own, flowId) }).toEqual({ ...about, left: [] });
      taken += all.length;
    }
  }
  // Otherwise the test says little.
  expect(taken).toBeGreaterThan(40);
  expect(byCandidates).toBeGreaterThan(20);
  const { rows } = await app.ctx.pool.query('select from flow_candidates where account_id = $1', [own.owner.id]);
  expect(rows).toEqual([]);
}, 300_000);

test('a person who was in it all along, and may be written to again, is a candidate', async () => {
  const on = await followed({ expression: isVip });
  const ada = await person(on, { status: 'vip' });
  await on.owner.api.call(addSuppression, { body: { phone: ada.phone } });
  await settle(on);
  expect(await run(on, on.flowId)).toBe(0);
  clock.advance(minuteMs);
  await on.owner.api.call(removeSuppression, { params: { phone: ada.phone }, query: { reason: 'They asked' } });
  await settle(on);
  expect(await isHandedOver(on, on.flowId)).toBe(true);
  expect(await run(on, on.flowId)).toBe(1);
});

test('a candidate whom another process found by a clock that is ahead is judged at that moment', async () => {
  const soon = { field: 'custom_fields.at', op: 'more_than_ago', n: 1, unit: 'hours' } as const;
  const on = await followed({ expression: soon });
  await person(on, { custom_fields: { at: clock.now().toISOString() } });
  await settle(on);
  expect(await run(on, on.flowId)).toBe(0);
  clock.advance(hourMs - 2);
  const ahead = { ...app.ctx, clock: { now: () => new Date(clock.now().getTime() + 10) } };
  await settle(on, ahead);
  expect(await run(on, on.flowId)).toBe(1);
});

test('a candidate waits for the hand-over that is skipping them, and is taken once it has let them go', async () => {
  const on = await followed({ expression: isVip });
  const ada = await person(on, { status: 'vip' });
  await settle(on);
  expect(await run(on, on.flowId)).toBe(1);
  await become(on, ada.id, { status: 'new' });
  await settle(on);
  let running: Promise<number> | undefined;
  await inTransaction(on.ctx, async (tx) => {
    // The hand-over has seen that she does not match, and has not committed.
    await lockFlow(tx, on.flowId);
    await tx.db.deleteFrom('flow_profiles').where('flow_id', '=', on.flowId).execute();
    await become(on, ada.id, { status: 'vip' });
    await settle(on);
    running = run(on, on.flowId);
    await untilSomebodyWaits(app.ctx.pool);
  });
  expect(await running).toBe(1);
});

test('two runs at once take nobody twice, and a run that is broken off leaves the others as candidates', async () => {
  const on = await followed({ expression: isVip });
  for (let index = 0; index < 8; index += 1) await person(on, { status: 'vip' });
  await settle(on);
  const queued = await Promise.all([run(on, on.flowId), run(on, on.flowId), run(on, on.flowId)]);
  expect(queued.reduce((sum, each) => sum + each, 0)).toBe(8);
  await person(on, { status: 'vip' });
  await settle(on);
  // The step commits with its candidates or not at all.
  expect(await run(on, on.flowId, () => true)).toBe(1);
  expect(await run(on, on.flowId)).toBe(0);
});

/** As a process of an earlier version does: nobody is queued. */
const changeUnqueued = (profileId: number) =>
  app.ctx.pool.query(`update profiles set status = 'vip', updated_at = $2 where id = $1`, [profileId, clock.now()]);

test('whom a process of an earlier version changes is found by a search, at once where it says so', async () => {
  const on = await followed({ expression: isVip });
  const [ada, bob] = [await person(on, { status: 'new' }), await person(on, { status: 'new' })];
  await settle(on);
  await changeUnqueued(ada.id);
  expect(await run(on, on.flowId)).toBe(0);
  await wakeFlows(on.ctx, [{ kind: 'profiles', accountId: on.owner.id }]);
  expect(await isHandedOver(on, on.flowId)).toBe(false);
  expect(await run(on, on.flowId)).toBe(1);
  expect(await isHandedOver(on, on.flowId)).toBe(true);
  await changeUnqueued(bob.id);
  await wakeFlows(on.ctx, [{ kind: 'profiles', accountId: on.owner.id, isQueued: true }]);
  expect(await run(on, on.flowId)).toBe(0);
  clock.advance(11 * minuteMs);
  expect(await run(on, on.flowId)).toBe(1);
});

test('a flow of another audience goes by its search until that one is followed, and misses nobody', async () => {
  const on = await followed({ expression: isVip });
  const [ada, bob] = [await person(on, { status: 'gold' }), await person(on, { status: 'new' })];
  await settle(on);
  expect(await run(on, on.flowId)).toBe(0);
  const expression: Expression = { field: 'status', op: 'in', value: ['vip', 'gold'] };
  await on.owner.api.call(updateFlow, { params: { flowId: on.flowId }, body: { expression, allow_unknown: true } });
  expect(await isHandedOver(on, on.flowId)).toBe(false);
  expect(await run(on, on.flowId)).toBe(1);
  // Changed before the new definition is built, and looked at by the earlier one.
  await become(on, bob.id, { status: 'gold' });
  await settle(on);
  expect(await run(on, on.flowId)).toBe(1);
  await handOver(on, on.flowId);
  await become(on, ada.id, { status: 'old' });
  const cleo = await person(on, { status: 'gold' });
  await settle(on);
  expect(await run(on, on.flowId)).toBe(1);
  expect(cleo.id).toBeGreaterThan(bob.id);
});

test('a flow that is none of the 50 newest any more goes by its search again, and misses nobody', async () => {
  const on = await followed({ expression: isVip });
  const [ada, bob] = [await person(on, { status: 'new' }), await person(on, { status: 'new' })];
  await become(on, ada.id, { status: 'vip' });
  await settle(on);
  for (let nth = 1; nth <= 50; nth += 1) await makeFlow(on, { expression: { ...isVip, value: `vip ${nth}` } });
  await settle(on);
  expect(await isHandedOver(on, on.flowId)).toBe(false);
  await become(on, bob.id, { status: 'vip' });
  await settle(on);
  expect(await run(on, on.flowId)).toBe(2);
  const cleo = await person(on, { status: 'vip' });
  await settle(on);
  expect(await run(on, on.flowId)).toBe(1);
  expect(await isHandedOver(on, on.flowId)).toBe(false);
  expect(cleo.id).toBeGreaterThan(bob.id);
});

test('switched off and deleted, a flow leaves no candidates', async () => {
  const on = await followed({ expression: isVip });
  await person(on, { status: 'vip' });
  await settle(on);
  await on.owner.api.call(updateFlow, { params: { flowId: on.flowId }, body: { active: false } });
  const { rows } = await app.ctx.pool.query('select from flow_candidates where flow_id = $1', [on.flowId]);
  expect(rows).toEqual([]);
  await on.owner.api.call(updateFlow, { params: { flowId: on.flowId }, body: { active: true } });
  expect(await run(on, on.flowId)).toBe(1);
});
