import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { track } from '#contracts/events.ts';
import type { Expression } from '#contracts/expressions.ts';
import type { FieldType } from '#contracts/field-types.ts';
import { putField } from '#contracts/fields.ts';
import { createProfile, deleteProfile, updateProfile } from '#contracts/profiles.ts';
import { createSegment, updateSegment } from '#contracts/segments.ts';
import { createTopic, putProfileTopics } from '#contracts/topics.ts';
import type { ConsentState } from '#contracts/topics.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findPeople, momentOf } from '#server/modules/audience/conditions/index.ts';
import { segmentSource } from '#server/modules/audience/segments/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { createRandom } from '#tests/support/random.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { differencesAmong } from './compare-with-search.ts';
import { takeTurn } from './take-turn.ts';
import { makeDue } from './turn.ts';
import { findWatches } from './watches.ts';

const seed = Number(process.env['SEED'] ?? 11);
const steps = Number(process.env['STEPS'] ?? 50);
const random = createRandom(seed);
const clock = createTestClock();
const minuteMs = 60_000;
const dayMs = 86_400_000;

let app: TestApplication;
let owner: Customer;
let ctx: AccountContext;
let topicId: number;
const segments: number[] = [];
const people: number[] = [];
/** By segment, the people in it by its moves and by its building. */
const inside = new Map<number, Set<number>>();
let phones = 0;

beforeAll(async () => {
  app = await startTestApplication({ clock, env: { ROLES: 'api' } });
  owner = await signUpSubscriber(app.url);
  const { timezone } = await app.ctx.db
    .selectFrom('accounts')
    .select('timezone')
    .where('id', '=', owner.id)
    .executeTakeFirstOrThrow();
  ctx = { ...app.ctx, account: { id: owner.id, timezone } };
  topicId = (await owner.api.call(createTopic, { body: { name: 'Offers' } })).body.id;
});
afterAll(() => app[Symbol.asyncDispose]());

/** All that is due has its turns. */
async function settle(): Promise<void> {
  await makeDue(app.ctx, [owner.id]);
  while (await takeTurn(app.ctx, [segmentSource], new AbortController().signal));
}

/** Other transactions of the database, which may be anybody's, end before anything is built. */
async function settleBuilt(): Promise<void> {
  await expect
    .poll(async () => {
      await settle();
      return (await findWatches(ctx)).all.filter(({ isBuilt }) => !isBuilt);
    })
    .toEqual([]);
}

const units = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;

function leaf(): Expression {
  const unit = random.pick(units);
  const time = random.pick(['custom_fields.at', 'created_at', 'updated_at']);
  return random.pick<() => Expression>([
    () => ({ field: 'status', op: 'in', value: random.pick([['vip'], ['vip', 'new'], ['old']]) }),
    () => ({ field: 'tags', op: 'includes', value: random.pick(['a', 'b']) }),
    () => ({ field: 'custom_fields.n', op: random.pick(['gt', 'lt']), value: random.below(10) }),
    () => ({ field: 'language', op: 'equals', value: 'es' }),
    () => ({
      field: time,
      op: random.pick(['within_last', 'more_than_ago', 'within_next']),
      n: 1 + random.below(5),
      unit,
    }),
    () => ({ field: 'custom_fields.at', op: 'anniversary_in', n: 1 + random.below(20), unit: 'days' }),
    () => ({ topic: topicId, state: random.pick(['opted_in', 'opted_out', 'receives']) }),
    () => ({ bucket: { of: 4, from: 0, to: 1 + random.below(3), salt: 'x' } }),
    event,
    event,
    () => (segments[0] === undefined ? { field: 'name', op: 'exists' } : { segment: random.pick(segments) }),
  ])();
}

function event(): Expression {
  return {
    event: random.pick(['Bought', 'Looked']),
    times: { op: random.pick(['>=', '=', '<']), n: 1 + random.below(3) },
    ...(random.chance(0.7) && { window: { last: 1 + random.below(6), unit: random.pick(units) } }),
    ...(random.chance(0.3) && { where: [{ field: 'properties.total', op: 'gt', value: 5 }] }),
  };
}

function expression(depth: number): Expression {
  if (depth === 0 || random.chance(0.3)) return leaf();
  if (random.chance(0.25)) return { not: expression(depth - 1) };
  const parts = [expression(depth - 1), expression(depth - 1)];
  return random.chance(0.5) ? { all: parts } : { any: parts };
}

const body = () => ({
  status: random.pick(['vip', 'new', 'old']),
  tags: random.pick([[], ['a'], ['a', 'b']]),
  custom_fields: random.chance(0.1)
    ? null
    : {
        n: random.pick<unknown>([random.below(10), String(random.below(10)), 'many', null]),
        at: random.pick<unknown>([
          new Date(clock.now().getTime() + (random.below(80) - 40) * dayMs + random.below(dayMs)).toISOString(),
          clock.now().getTime() - random.below(6 * 60) * minuteMs,
          '1988-02-29',
          'soon',
        ]),
      },
  ...(random.chance(0.5) && { language: random.pick(['es', 'pt', null]) }),
});

const steppings: Readonly<Record<string, () => Promise<unknown>>> = {
  async make() {
    phones += 1;
    const made = await owner.api.call(createProfile, { body: { ...body(), phone: `1415555${2000 + phones}` } });
    people.push(made.body.id);
  },
  change: () => owner.api.call(updateProfile, { params: { profileId: random.pick(people) }, body: body() }),
  happen: () =>
    owner.api.call(track, {
      body: {
        profile_id: random.pick(people),
        event: random.pick(['Bought', 'Looked']),
        timestamp: new Date(clock.now().getTime() - random.below(20 * 24 * 60) * minuteMs).toISOString(),
        ...(random.chance(0.5) && { properties: { total: random.below(10) } }),
      },
    }),
  choose: () =>
    owner.api.call(putProfileTopics, {
      params: { profileId: random.pick(people) },
      body: { topics: [{ topic_id: topicId, state: random.pick<ConsentState>(['opted_in', 'opted_out']) }] },
    }),
  async leave() {
    const [profileId] = people.splice(random.below(people.length), 1);
    await owner.api.call(deleteProfile, { params: { profileId: profileId ?? 0 } });
    for (const own of inside.values()) own.delete(profileId ?? 0);
  },
  async define() {
    const segmentId = random.pick(segments);
    await owner.api.call(updateSegment, {
      params: { segmentId },
      body: { expression: { all: [expression(1)] }, allow_unknown: true },
    });
  },
  type: () =>
    owner.api.call(putField, {
      params: { path: 'custom_fields.n' },
      body: { type: random.pick<FieldType | null>(['number', 'text', null]) },
    }),
  async wait() {
    clock.advance(random.pick([1, minuteMs, 3_600_000, dayMs, 9 * dayMs]));
  },
};

const often = ['make', 'change', 'change', 'change', 'happen', 'happen', 'choose', 'wait'];
const seldom = ['leave', 'define', 'type'];

/** People whom the search finds and the queue did not, or the other way round. */
const differences = () =>
  inTransaction(ctx, async (tx) => {
    await sql`set transaction isolation level repeatable read, read only`.execute(tx.db);
    return differencesAmong(tx, people);
  });

/** The states, as the evaluator in memory has them when it looks at everybody. */
async function inMemory() {
  const { all, needs } = await findWatches(ctx);
  const found = await findPeople(ctx, people, needs);
  const moment = momentOf(ctx);
  return new Map(
    [...found].map(([id, person]) => [
      id,
      {
        memberOf: all.flatMap((watch) => (watch.question.evaluate(person, moment) === true ? [watch.id] : [])),
        until: Math.min(...all.map((watch) => watch.question.validUntil(person, moment))),
      },
    ]),
  );
}

async function states() {
  const rows = await ctx.db.selectFrom('profile_states').selectAll().where('account_id', '=', owner.id).execute();
  return new Map(rows.map((row) => [row.profile_id, row]));
}

async function check(about: unknown): Promise<void> {
  expect({ about, differing: await differences() }).toEqual({ about, differing: [] });
  const [expected, kept] = [await inMemory(), await states()];
  // Of definitions that are gone, a state says nothing until it is written anew.
  const followed = new Set((await findWatches(ctx)).all.map(({ id }) => id));
  for (const id of people) {
    const [is, was] = [expected.get(id), kept.get(id)];
    const found = (was?.member_of ?? []).filter((each) => followed.has(each)).toSorted((a, b) => a - b);
    expect({ about, id, found }).toEqual({ about, id, found: is?.memberOf });
    if (is && is.until < 8.64e15) expect(was?.due_at?.getTime()).toBeLessThanOrEqual(is.until);
  }
  expect([...kept.keys()].filter((id) => !people.includes(id))).toEqual([]);
  await checkMoves(about);
}

/** By segment, its definition and the last move that was read. */
const definitions = new Map<number, number>();
let movesRead = 0;

/** Moves lead from one state to the next, unless another definition did. */
async function checkMoves(about: unknown): Promise<void> {
  const { all } = await findWatches(ctx);
  const kept = await states();
  const rows = await ctx.db
    .selectFrom('segment_moves')
    .select(['id', 'segment_id', 'profile_id', 'state'])
    .where('account_id', '=', owner.id)
    .where('id', '>', movesRead)
    .orderBy('id')
    .execute();
  movesRead = rows.at(-1)?.id ?? movesRead;
  for (const { id, sourceId } of all) {
    const now = new Set(people.filter((person) => kept.get(person)?.member_of.includes(id)));
    const before = inside.get(sourceId) ?? new Set();
    inside.set(sourceId, now);
    if (definitions.get(sourceId) !== id) {
      definitions.set(sourceId, id);
      continue;
    }
    for (const move of rows.filter((row) => row.segment_id === sourceId && people.includes(row.profile_id))) {
      const isNew = move.state === 'joined' ? !before.has(move.profile_id) : before.has(move.profile_id);
      expect({ about, move, isNew }).toEqual({ about, move, isNew: true });
      if (move.state === 'joined') before.add(move.profile_id);
      else before.delete(move.profile_id);
    }
    expect({ about, sourceId, moved: before }).toEqual({ about, sourceId, moved: now });
  }
}

test(`over random expressions and histories, the queue finds what SQL and memory find (SEED=${seed})`, async () => {
  for (let index = 0; index < 20; index += 1) await steppings['make']?.();
  for (let index = 0; index < 12; index += 1) {
    const made = await owner.api.call(createSegment, {
      body: { name: `S${index}`, expression: { all: [expression(index % 3)] }, allow_unknown: true },
    });
    segments.push(made.body.id);
  }
  await settleBuilt();
  await check('built');
  let turned = 0;
  for (let step = 0; step < steps; step += 1) {
    const name = random.chance(0.1) ? random.pick(seldom) : random.pick(often);
    await steppings[name]?.();
    // Several changes at once are looked at together.
    if (random.chance(0.3)) continue;
    await settle();
    await check({ step, name });
    if (step % 2 === 0) turned += await overNextTimer(step);
  }
  // Otherwise the test says little.
  expect(turned).toBeGreaterThan(1);
}, 300_000);

/** Up to the earliest timer nothing changes, and with it the queue finds what the search does. Answers whether somebody moved. */
async function overNextTimer(step: number): Promise<number> {
  const kept = await states();
  const due = [...kept.values()].flatMap(({ due_at: at }) => at?.getTime() ?? []);
  const next = Math.min(...due);
  const waitMs = next - clock.now().getTime();
  if (!(waitMs > 1 && waitMs < 60 * dayMs)) return 0;
  clock.advance(waitMs - 1);
  expect({ step, early: await differences() }).toEqual({ step, early: [] });
  clock.advance(1);
  await settle();
  await check({ step, at: 'timer' });
  const before = JSON.stringify([...kept.values()].map((row) => row.member_of));
  clock.advance(1);
  await settle();
  await check({ step, at: 'after' });
  return Number(JSON.stringify([...(await states()).values()].map((row) => row.member_of)) !== before);
}
