import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { GivenExpression } from '#contracts/given-expression.ts';
import { FieldType, indexedAs } from '#contracts/field-types.ts';
import { foldValue } from '#contracts/fold-value.ts';
import type { AccountContext } from '#server/context.ts';
import type { ProfileRow } from '#server/modules/audience/profiles/index.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { createRandom } from '#tests/support/random.ts';
import { allNeeds, countCriteria, findPeople, firstFound, listMatching, matchingIds, questionOf } from './index.ts';
import type { Criteria } from '#contracts/expressions.ts';
import type { Person } from './index.ts';

const seed = Number(process.env['SEED'] ?? 7);
const random = createRandom(seed);
const now = new Date(`${new Date().toISOString().slice(0, 10)}T10:30:00.000Z`);
const dayMs = 86_400_000;
const profileCount = 300;
const expressionCount = 600;

const texts = [
  '',
  ' ',
  'Ávila',
  ' ávila ',
  'ÁVILA',
  'Σίσυφος',
  'x',
  'X',
  'true',
  'TRUE',
  '10',
  ' 10 ',
  '10.0',
  '-5',
  '+7',
  '1e3',
  'null',
  '007',
  'Yes',
  'off',
  'x, Ávila;true',
];
const numbers = [0, 10, -5, 0.1, 1e21, 1e-7, 123_456.5, 7];
const times = () => {
  const at = new Date(now.getTime() + (random.below(800) - 400) * dayMs + random.pick([0, 1, -1, 3_600_000]));
  const iso = at.toISOString();
  return random.pick<unknown>([
    iso,
    iso.slice(0, 10),
    at.getTime(),
    String(at.getTime()),
    iso.slice(0, 19),
    '1988-02-29',
    '2026-02-30',
    'soon',
  ]);
};
const value = (): unknown =>
  random.pick([
    () => random.pick<unknown>(texts),
    () => random.pick<unknown>(numbers),
    () => random.pick<unknown>([true, false, null]),
    times,
    () => [random.pick(texts), random.pick(numbers), null, { a: 1 }],
    () => ({ a: random.pick(texts) }),
  ])();

const paths = [
  'name',
  'email',
  'status',
  'country_code',
  'phone',
  'tags',
  'phone_is_valid',
  'created_at',
  'updated_at',
  'language',
  'external_id',
  'custom_fields.a',
  'custom_fields.b',
  'custom_fields.o.a',
  'custom_fields.none',
];
const units = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;
const spans = { minutes: 5000, hours: 3000, days: 400, weeks: 50, months: 12 };

function textValue(): string | number | boolean {
  return random.pick<string | number | boolean>([
    ...texts,
    ...numbers,
    true,
    false,
    'vip',
    'ES',
    'pt',
    'x-',
    '415 555',
    'a@',
  ]);
}

function boundValue(): string | number {
  return random.pick<string | number>([...numbers, '10', '2026-02-01', now.toISOString(), '2025-06-01T10:00:00']);
}

function leaf(): unknown {
  const field = random.pick(paths);
  const unit = random.pick(units);
  return random.pick<() => unknown>([
    () => ({ field, op: random.pick(['equals', 'contains', 'starts', 'includes']), value: textValue() }),
    () => ({ field, op: 'in', value: [textValue(), textValue()] }),
    () => ({ field, op: 'exists' }),
    () => ({ field, op: random.pick(['gt', 'lt']), value: boundValue() }),
    () => ({ field, op: 'between', value: [boundValue(), boundValue()] }),
    () => ({
      field,
      op: random.pick(['within_last', 'more_than_ago', 'within_next']),
      n: 1 + random.below(spans[unit]),
      unit,
    }),
    () => ({ field, op: 'anniversary_in', n: 1 + random.below(52), unit: random.pick(['days', 'weeks', 'months']) }),
    () => ({ bucket: { of: 10, from: random.below(9), to: 9, salt: random.pick(['', 'a']) } }),
    () => message(),
    () => event(),
  ])();
}

const eventNames = ['Bought', 'Looked', 'Never', '$message.sent', '$message.read', '$message.clicked'];

function event(): unknown {
  const op = random.pick(['>=', '=', '<']);
  return {
    event: random.pick(eventNames),
    ...(random.chance(0.8) && { times: { op, n: op === '=' ? random.below(4) : 1 + random.below(3) } }),
    ...(random.chance(0.6) && { window: span() }),
    ...(random.chance(0.4) && { where: Array.from({ length: 1 + random.below(2) }, () => property(1)) }),
  };
}

function span(): unknown {
  if (random.chance(0.7)) return { last: 1 + random.below(40), unit: random.pick(['hours', 'days', 'days', 'weeks']) };
  const from = new Date(now.getTime() - random.below(60 * 24) * 3_600_000);
  const to = new Date(from.getTime() + (1 + random.below(20 * 24)) * 3_600_000);
  const atMidnight = (at: Date) => `${at.toISOString().slice(0, 10)}T00:00:00.000Z`;
  const whole = { from: atMidnight(from), to: atMidnight(new Date(to.getTime() + dayMs)) };
  return random.chance(0.3) ? whole : { from: from.toISOString(), to: to.toISOString() };
}

function property(depth: number): unknown {
  if (depth > 0 && random.chance(0.3)) {
    const parts = [property(depth - 1), property(depth - 1)];
    return random.pick<unknown>([{ any: parts }, { all: parts }, { not: parts[0] }]);
  }
  const field = random.pick(['properties.a', 'properties.o.a', 'properties.source', 'properties.campaign_id']);
  return random.pick<() => unknown>([
    () => ({ field, op: random.pick(['equals', 'contains']), value: random.pick(['x', 10, 'campaign', 'true']) }),
    () => ({ field, op: 'exists' }),
    () => ({ field, op: random.pick(['gt', 'lt']), value: random.pick([0, 5, 10]) }),
  ])();
}

function message(): unknown {
  const of = random.pick(['campaign', 'flow', 'any']);
  return {
    message: {
      of,
      ...(of !== 'any' && random.chance(0.4) && { id: random.pick(of === 'flow' ? flows : campaigns) }),
      ...(random.chance(0.4) && { last: true }),
    },
    state: random.pick(['sent', 'delivered', 'read', 'replied', 'clicked', 'failed']),
    ...(random.chance(0.3) && { not: true }),
    ...(random.chance(0.3) && { window: { last: 1 + random.below(30), unit: 'days' } }),
  };
}

function expression(depth: number): unknown {
  if (depth === 0 || random.chance(0.3)) return leaf();
  if (random.chance(0.3)) return { not: expression(depth - 1) };
  const children = Array.from({ length: 1 + random.below(3) }, () => expression(depth - 1));
  return random.chance(0.5) ? { all: children } : { any: children };
}

/** Makes a random condition that the contract takes; some of its fields have types. */
function accepted(depth: number): Criteria {
  for (;;) {
    const read = GivenExpression.safeParse(expression(depth));
    if (read.success) return withTypes(read.data);
  }
}

function withTypes(criteria: Criteria): Criteria {
  if ('all' in criteria) return { all: criteria.all.map(withTypes) };
  if ('any' in criteria) return { any: criteria.any.map(withTypes) };
  if ('message' in criteria || 'event' in criteria) return criteria;
  if ('not' in criteria) return { not: withTypes(criteria.not) };
  if (!('field' in criteria) || !criteria.field.startsWith('custom_fields.') || random.chance(0.3)) return criteria;
  const type = random.pick([...FieldType.options, null]);
  const index = random.chance(0.6) ? indexes.get(`${criteria.field} ${type}`) : undefined;
  const typed = { type, since: '2020-01-01T00:00:00.000Z', ...(index !== undefined && { [indexedAs]: index }) };
  return { ...criteria, typed };
}

/** The indexes of fields, by the field and a type: here a field has one of each. */
const indexes = new Map<string, number>();

async function indexFields(): Promise<void> {
  for (const path of paths.filter((each) => each.startsWith('custom_fields.'))) {
    for (const type of FieldType.options) {
      const keys = path.split('.').slice(1);
      const { id } = await ctx.db
        .insertInto('typed_fields')
        .values({ account_id: ctx.account.id, path: `${path} ${type}`, keys, type, filled_at: now })
        .returning('id')
        .executeTakeFirstOrThrow();
      indexes.set(`${path} ${type}`, id);
    }
  }
}

let app: TestApplication;
let ctx: AccountContext;
let people: Person[];
const campaigns: number[] = [];
const flows: number[] = [];

beforeAll(async () => {
  app = await startTestApplication({ clock: { now: () => now } });
  const customer = await signUpSubscriber(app.url);
  const { id } = customer;
  ctx = { ...app.ctx, account: { id, timezone: 'Europe/Madrid' } };
  await indexFields();
  const rows = Array.from({ length: profileCount }, (_, index) => ({
    account_id: id,
    phone: String(14_155_550_000 + index),
    phone_given: 'as given',
    calling_code: '1',
    national_number: String(4_155_550_000 + index),
    phone_is_valid: random.chance(0.8),
    country_code: random.pick(['US', 'ES', null]),
    name: random.pick(['Ada', ' ada ', 'ÁVILA', '', null]),
    email: random.pick(['a@example.com', 'A@Example.com', null]),
    tags: random.pick([[], ['vip'], ['beta', 'vip']]),
    custom_fields: customFields(),
    status: random.pick(['active', 'Active', '10']),
    created_at: new Date(now.getTime() - random.below(500) * dayMs),
    updated_at: new Date(now.getTime() - random.below(50) * 3_600_000),
  }));
  await ctx.db.insertInto('profiles').values(rows).execute();
  for (const { phone } of rows.filter(() => random.chance(0.3))) {
    await ctx.db.updateTable('profiles').set({ custom_fields: customFields() }).where('phone', '=', phone).execute();
  }
  const profiles = await ctx.db.selectFrom('profiles').selectAll().where('account_id', '=', id).orderBy('id').execute();
  for (const profile of profiles) {
    if (random.chance(0.4)) continue;
    const language = random.pick(['es', 'pt-BR', null]);
    const own = { language, timezone: null, external_id: random.chance(0.5) ? `X-${profile.id}` : null };
    await ctx.db
      .insertInto('profile_facts')
      .values({ account_id: id, profile_id: profile.id, ...own })
      .execute();
  }
  const { id: projectId } = await makeProject(customer);
  await engage(profiles, projectId);
  await happen(profiles);
  const found = await findPeople(
    ctx,
    profiles.map((profile) => profile.id),
    allNeeds,
  );
  people = [...found.values()];
});

const customFields = () =>
  random.chance(0.1) ? null : JSON.stringify({ a: value(), b: value(), o: random.pick([{ a: value() }, value()]) });

/**
 * Records the outcomes of campaigns and flows for these profiles, with and without the messages that retention removes.
 */
async function engage(profiles: readonly ProfileRow[], projectId: number): Promise<void> {
  const accountId = ctx.account.id;
  const made = {
    account_id: accountId,
    project_id: projectId,
    name: 'Some',
    message: 'Hi',
    created_at: now,
    updated_at: now,
  };
  for (const index of [0, 1, 2]) {
    const campaign = { ...made, segment_id: 1, status: 'completed' as const };
    campaigns[index] = (
      await ctx.db.insertInto('campaigns').values(campaign).returning('id').executeTakeFirstOrThrow()
    ).id;
    const flow = { ...made, conditions: '[]', duration: '{}', frequency: '{}', is_active: false, paced_until: now };
    flows[index] = (await ctx.db.insertInto('flows').values(flow).returning('id').executeTakeFirstOrThrow()).id;
  }
  for (const [index, profile] of profiles.entries()) {
    const entry = { account_id: accountId, profile_id: profile.id, phone: profile.phone };
    for (const [place, sourceId] of [...campaigns, ...flows].entries()) {
      if (random.chance(0.7)) continue;
      const at = new Date(now.getTime() - random.below(40 * 24) * 3_600_000 - index * 10 - place);
      const status = random.pick(['waiting', 'sent', 'sent', 'sent', 'failed', 'skipped'] as const);
      const messageId = await storeMessage({ projectId, at, isKept: random.chance(0.8) });
      const settled = { ...entry, status, message_id: messageId };
      await (
        place < 3
          ? ctx.db
              .insertInto('campaign_recipients')
              .values({ ...settled, campaign_id: sourceId, reason: null, changed_at: at })
          : ctx.db.insertInto('flow_deliveries').values({
              ...settled,
              flow_id: sourceId,
              project_id: projectId,
              created_at: at,
              sent_at: at,
              body: '',
              reason: null,
            })
      ).execute();
      if (random.chance(0.2)) {
        await sql`insert into message_clicks (account_id, source, source_id, message_id, clicked_at)
                  values (${accountId}, 'campaign', ${sourceId}, ${messageId}, ${at})`.execute(ctx.db);
      }
      if (random.chance(0.7)) continue;
      await sql`insert into message_answers (account_id, message_id, source, source_id, answered_at)
                values (${accountId}, ${messageId}, 'campaign', ${sourceId}, ${at})`.execute(ctx.db);
    }
  }
}

/** Stores events and outcomes of messages; of the older events some are gone, as retention leaves them. */
async function happen(profiles: readonly ProfileRow[]): Promise<void> {
  const accountId = ctx.account.id;
  const erasedUntil = new Date(now.getTime() - 25 * dayMs);
  const names = await ctx.db
    .insertInto('event_names')
    .values(['Bought', 'Looked'].map((name) => ({ account_id: accountId, name, first_at: now, last_at: now })))
    .returning('id')
    .execute();
  const edges = [0, 1, dayMs, 10.5 * 3_600_000].map((ms) => new Date(now.getTime() - ms));
  for (const profile of profiles) {
    const own = { account_id: accountId, profile_id: profile.id };
    for (let left = random.below(6); left > 0; left -= 1) {
      const at = random.chance(0.2)
        ? random.pick(edges)
        : new Date(now.getTime() - random.below(50 * 24 * 60) * 60_000);
      const nameOf = random.pick(names).id;
      await sql`
        insert into event_days as d (account_id, name_id, profile_id, day, n)
        values (${accountId}, ${nameOf}, ${profile.id}, (${at}::timestamptz at time zone 'UTC')::date, 1)
        on conflict (account_id, name_id, profile_id, day) do update set n = d.n + 1
      `.execute(ctx.db);
      if (at < erasedUntil && random.chance(0.5)) continue;
      const properties = random.chance(0.2) ? {} : { a: value(), o: { a: value() } };
      await sql`
        insert into events (account_id, profile_id, name_id, at, received_at, properties, bytes)
        values (${accountId}, ${profile.id}, ${nameOf}, ${at}, ${at}, ${JSON.stringify(properties)}::jsonb, 100)
      `.execute(ctx.db);
    }
    for (let left = random.below(4); left > 0; left -= 1) {
      const at = new Date(now.getTime() - random.below(40 * 24) * 3_600_000);
      const later = () => (random.chance(0.5) ? new Date(at.getTime() + random.below(48) * 3_600_000) : null);
      const source = random.pick(['campaign', 'flow', 'bulk_run'] as const);
      const reached = { sent_at: at, read_at: later(), clicked_at: later(), failed_at: random.chance(0.1) ? at : null };
      await ctx.db
        .insertInto('engagements')
        .values({ ...own, ...reached, message_id: random.below(1e9), source, source_id: 10, changed_at: at })
        .execute();
    }
  }
  await ctx.db.insertInto('event_accounts').values({ account_id: accountId, erased_until: erasedUntil }).execute();
}

async function storeMessage({
  projectId,
  at,
  isKept,
}: {
  projectId: number;
  at: Date;
  isKept: boolean;
}): Promise<number> {
  const status = random.pick(['sent', 'delivered', 'read']);
  const { rows } = await sql<{ id: number }>`
    insert into messages (account_id, project_id, direction, recipient, body, status, created_at, source)
    values (${ctx.account.id}, ${projectId}, 'outgoing', '14155550000', '', ${status}, ${at}, 'api') returning id
  `.execute(ctx.db);
  const id = rows[0]?.id ?? 0;
  if (!isKept) await sql`delete from messages where account_id = ${ctx.account.id} and id = ${id}`.execute(ctx.db);
  return id;
}

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const moment = () => ({ accountId: ctx.account.id, now, timezone: ctx.account.timezone });

async function idsInDatabase(criteria: Criteria, wanted: boolean): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from profiles where profiles.account_id = ${ctx.account.id}
       and ${questionOf(criteria).predicate(moment(), wanted)} order by id
  `.execute(ctx.db);
  return rows.map(({ id }) => id);
}

const idsInMemory = (criteria: Criteria, wanted: boolean) =>
  people.filter((person) => questionOf(criteria).evaluate(person, moment()) === wanted).map(({ id }) => id);

test(`over random expressions and people, SQL and memory agree on who matches and who does not (SEED=${seed})`, async () => {
  let telling = 0;
  let unreadable = 0;
  for (let index = 0; index < expressionCount; index += 1) {
    const criteria = accepted(index % 3);
    const matching = idsInMemory(criteria, true);
    const others = idsInMemory(criteria, false);
    expect({ criteria, ids: await idsInDatabase(criteria, true) }).toEqual({ criteria, ids: matching });
    expect({ criteria, not: await idsInDatabase(criteria, false) }).toEqual({ criteria, not: others });
    if (index % 3 === 2) {
      const count = await countCriteria(ctx, criteria);
      expect({ criteria, count }).toEqual({ criteria, count: matching.length });
      const page = await listMatching(ctx, criteria, { limit: 5, offset: 1, count });
      expect({ criteria, page: page.map(({ id }) => id) }).toEqual({
        criteria,
        page: matching.toReversed().slice(1, 6),
      });
    }
    if (matching.length > 0 && others.length > 0) telling += 1;
    const isUnread = matching.length + others.length < people.length;
    if (isUnread) unreadable += 1;
    if (!questionOf(criteria).mayBeUnreadable) expect({ criteria, isUnread }).toEqual({ criteria, isUnread: false });
  }
  // Otherwise the test says little.
  expect(telling).toBeGreaterThan(expressionCount / 3);
  expect(unreadable).toBeGreaterThan(expressionCount / 10);
});

test(`events that are looked up of each person are counted as those of all together are (SEED=${seed})`, async () => {
  let telling = 0;
  const ask = async (criteria: Criteria, wanted: boolean) => {
    const everybody = sql<number[]>`array(select id from profiles where account_id = ${ctx.account.id})`;
    const predicate = questionOf(criteria).lookup?.(moment(), everybody, wanted);
    const { rows } = await sql<{ id: number }>`
      select id from profiles where profiles.account_id = ${ctx.account.id} and ${predicate} order by id
    `.execute(ctx.db);
    return rows.map(({ id }) => id);
  };
  for (let index = 0; index < 400; index += 1) {
    const read = GivenExpression.safeParse(event());
    if (!read.success || !questionOf(read.data).lookup) continue;
    const criteria = random.pick<() => Criteria>([
      () => read.data,
      () => ({ not: read.data }),
      () => ({ any: [read.data, { not: { all: [read.data] } }] }),
    ])();
    const matching = idsInMemory(criteria, true);
    const others = idsInMemory(criteria, false);
    expect({ criteria, ids: await ask(criteria, true) }).toEqual({ criteria, ids: matching });
    expect({ criteria, not: await ask(criteria, false) }).toEqual({ criteria, not: others });
    const active = { field: 'status', op: 'equals', value: 'active' } as const;
    const both: Criteria = { all: [active, { all: [criteria] }] };
    const inBoth = idsInMemory({ all: [active, criteria] }, true);
    expect(await countCriteria(ctx, both)).toBe(inBoth.length);
    // None of them is few enough to be looked up.
    const { rows } = await sql<{ id: number }>`
      select id from (${matchingIds(ctx, questionOf(both), -1)}) as x order by id
    `.execute(ctx.db);
    expect({ both, ids: rows.map(({ id }) => id) }).toEqual({ both, ids: inBoth });
    if (matching.length > 0 && others.length > 0) telling += 1;
  }
  // Otherwise the test says little.
  expect(telling).toBeGreaterThan(60);
});

test(`stretch by stretch, indexes find those who match (SEED=${seed})`, async () => {
  const last = people.at(-1)?.id ?? 0;
  const also = sql<boolean>`profiles.phone_is_valid`;
  let telling = 0;
  for (let index = 0; index < 1_200; index += 1) {
    const criteria = accepted(index % 3);
    const find = firstFound(ctx, questionOf(criteria), also);
    if (!find) continue;
    const valid = new Set(people.flatMap(({ id, phone_is_valid: isValid }) => (isValid ? [id] : [])));
    const matching = idsInMemory(criteria, true).filter((id) => valid.has(id));
    const found: number[] = [];
    const most = 1 + random.below(80);
    for (let after = 0; after < last;) {
      const until = Math.min(last, Math.max(after, (people[0]?.id ?? 1) - 1) + 1 + random.below(200));
      const { rows } = await sql<{ id: number }>`${await find({ after, until, most })}`.execute(ctx.db);
      found.push(...rows.map(({ id }) => id));
      after = rows.length < most ? until : (rows.at(-1)?.id ?? until);
    }
    expect({ criteria, found }).toEqual({ criteria, found: matching });
    if (matching.length > 0 && matching.length < valid.size) telling += 1;
  }
  // Otherwise the test says little.
  expect(telling).toBeGreaterThan(40);
});

test('a person of whom several members of a list match is counted once', async () => {
  const members = ['x', 'true', '10', '-5', '7', '0', '0.1', '007', 'yes'];
  for (const type of ['list', 'text'] as const) {
    const id = indexes.get(`custom_fields.a ${type}`) ?? 0;
    const typed = { type, since: '2020-01-01T00:00:00.000Z', [indexedAs]: id };
    const criteria = { field: 'custom_fields.a', op: 'in', value: members, typed } as const;
    const several = people.filter(({ custom_fields: fields }) => Array.isArray(fields?.['a']));
    expect(several.length).toBeGreaterThan(10);
    expect(await countCriteria(ctx, criteria)).toBe(idsInMemory(criteria, true).length);
  }
});

test(`the index of a typed field answers as its values do (SEED=${seed})`, async () => {
  let indexed = 0;
  for (let index = 0; index < 400; index += 1) {
    const read = GivenExpression.safeParse(leaf());
    if (!read.success || !('field' in read.data) || !read.data.field.startsWith('custom_fields.')) continue;
    for (const type of FieldType.options) {
      const fieldId = indexes.get(`${read.data.field} ${type}`) ?? 0;
      const criteria = { ...read.data, typed: { type, since: '2020-01-01T00:00:00.000Z', [indexedAs]: fieldId } };
      if (questionOf(criteria).cost !== 'index') continue;
      indexed += 1;
      const found = await sql<{
        id: number;
      }>`select id from (${matchingIds(ctx, questionOf(criteria))}) as x order by id`.execute(ctx.db);
      expect({ criteria, found: found.rows.map(({ id }) => id) }).toEqual({
        criteria,
        found: idsInMemory(criteria, true),
      });
      expect({ criteria, ids: await idsInDatabase(criteria, true) }).toEqual({
        criteria,
        ids: idsInMemory(criteria, true),
      });
      expect({ criteria, not: await idsInDatabase(criteria, false) }).toEqual({
        criteria,
        not: idsInMemory(criteria, false),
      });
    }
  }
  expect(indexed).toBeGreaterThan(60);
});

test('whom time alone lets in or out is among those whose answer may have changed', async () => {
  for (let index = 0; index < 150; index += 1) {
    const criteria = accepted(index % 3);
    const question = questionOf(criteria);
    const since = new Date(now.getTime() - random.pick([1, 3600, 86_400, 40 * 86_400]) * 1000);
    const then = { ...moment(), now: since };
    const changed = question.changedSince(since, moment());
    if (changed === undefined) continue;
    const moved = people.filter((person) => question.evaluate(person, moment()) !== question.evaluate(person, then));
    const found = new Set<number>();
    for (const predicate of changed) {
      const { rows } = await sql<{ id: number }>`
        select id from profiles where profiles.account_id = ${ctx.account.id} and ${predicate}`.execute(ctx.db);
      for (const { id } of rows) found.add(id);
    }
    expect({ criteria, missed: moved.filter(({ id }) => !found.has(id)).map(({ id }) => id) }).toEqual({
      criteria,
      missed: [],
    });
  }
});

test(`an answer stays until the moment that it says, and may be another one then (SEED=${seed})`, async () => {
  let turned = 0;
  for (let index = 0; index < 400; index += 1) {
    const criteria = accepted(index % 3);
    const question = questionOf(criteria);
    for (const person of Array.from({ length: 12 }, () => random.pick(people))) {
      let from = now.getTime();
      for (let step = 0; step < 8; step += 1) {
        const answerAt = (ms: number) => question.evaluate(person, { ...moment(), now: new Date(ms) });
        const answer = answerAt(from);
        const until = question.validUntil(person, { ...moment(), now: new Date(from) });
        expect(until).toBeGreaterThan(from);
        const last = Math.min(until, from + 800 * dayMs);
        const between = [from + 1, last - 1, ...Array.from({ length: 4 }, () => from + random.below(last - from))];
        const others = between.filter((ms) => ms > from && ms < until && answerAt(ms) !== answer);
        expect({ criteria, person: person.id, from, until, others }).toEqual({
          criteria,
          person: person.id,
          from,
          until,
          others: [],
        });
        if (until === Infinity) break;
        if (answerAt(until) !== answer) turned += 1;
        from = until;
      }
    }
  }
  // Otherwise the test says little.
  expect(turned).toBeGreaterThan(50);
});

test('text in any case and with spaces around it is the same, letters of other alphabets as well', async () => {
  const { rows } = await sql<{ text: string }>`select folded_value(given) as text from unnest(${letters}::text[])
    with ordinality as x (given, place) order by place`.execute(ctx.db);
  expect(rows.map(({ text }) => text)).toEqual(letters.map(foldValue));
  expect(foldValue('  ÀÉÑ ΣΩ ЖЯ ')).toBe('àéñ σω жя');
});

const letters = Array.from({ length: 0x2100 }, (_, code) => ` ${String.fromCodePoint(code + 1)}A`);
