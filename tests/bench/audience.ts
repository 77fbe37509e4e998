import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type pg from 'pg';
import type { Criteria } from '#contracts/expressions.ts';
import { indexedAs } from '#contracts/field-types.ts';
import type { FieldType } from '#contracts/field-types.ts';
import { listFields, putField } from '#contracts/fields.ts';
import type { AccountContext } from '#server/context.ts';
import { matchingIds, mergeLargeSets, questionOf } from '#server/modules/audience/conditions/index.ts';
import type { Person } from '#server/modules/audience/conditions/index.ts';
import { createPool, readPoolOptions } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import type { Bench } from './bench.ts';
import { benchIngest } from './ingest.ts';
import { median } from './measure.ts';
import { benchMembership } from './membership.ts';
import { watchDatabase } from './query-plans.ts';

type Row = { what: string; figure: string; baseline: string; ratio: string; bound: string };

const profileCount = Number(process.env['PROFILES'] ?? 1_000_000);
const eventCount = Number(process.env['EVENTS'] ?? 5_000_000);
const rounds = 3;
const dayMs = 86_400_000;

const milliseconds = (ms: number) => `${ms.toFixed(ms < 10 ? 2 : 0)} ms`;
const rate = (count: number, ms: number) => `${Math.round((1000 * count) / ms)}/s`;

/**
 * Expressions over typed fields and events beside SQL that one would write by hand, filling in, ingest, and the evaluator
 * in memory; `PROFILES` and `EVENTS` make it smaller, and `audience:ingest` is one part of it. A count that differs from the other way's ends the run as failed.
 */
export async function benchAudience(bench: Bench, only: readonly string[]): Promise<Row[]> {
  await using product = await bench.start({});
  const customer = await signUpSubscriber(product.url);
  await makePeople(bench.database, customer.id);
  const isWanted = (part: string) => only.length === 0 || only.includes(part);
  const rows: Row[] = [];
  if (isWanted('counts')) rows.push(await fillIn(customer), ...(await benchCounts(bench, customer)));
  if (isWanted('memory')) rows.push(await benchMemory(bench, customer));
  if (isWanted('membership')) {
    rows.push(await benchMembership({ product, database: bench.database, customer, profileCount }));
  }
  if (isWanted('ingest'))
    rows.push(...(await benchIngest({ product, database: bench.database, customer, profileCount })));
  return rows;
}

const types: Readonly<Record<string, FieldType>> = { plan: 'text', seen_at: 'date', visits: 'number' };

/** Without triggers: the fields get their types afterwards. */
async function makePeople(database: pg.Pool, accountId: number): Promise<void> {
  await database.query('alter table profiles disable trigger user');
  await database.query(
    `insert into profiles (account_id, phone, phone_given, country_code, calling_code, national_number, phone_is_valid, name,
                           custom_fields, status, created_at, updated_at)
     select $1, (14150000000 + n)::text, '', 'US', '1', (4150000000 + n)::text, true, 'Person ' || n,
            jsonb_build_object('plan', (array['free', 'Pro', 'team'])[1 + n % 3], 'visits', n % 500,
              'seen_at', to_char((now() - n % 400 * interval '1 day') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
            'active', now() - n % 400 * interval '1 day', now() - n * interval '1 second'
       from generate_series(1, $2::int) as n`,
    [accountId, profileCount],
  );
  await database.query('alter table profiles enable trigger user');
  await database.query(
    `insert into event_names (account_id, name, first_at, last_at, total) values ($1, 'Ordered', now(), now(), $2)`,
    [accountId, eventCount],
  );
  await database.query(
    `insert into events (account_id, profile_id, name_id, at, received_at, properties, bytes)
     select $1, p.first + (n::bigint * 7919) % p.size, e.id, now() - n % 60 * interval '1 day' - n % 86400 * interval '1 second',
            now(), jsonb_build_object('total', n % 100), 220
       from generate_series(1, $2::int) as n, event_names e,
            (select min(id) as first, count(*) as size from profiles where account_id = $1) as p
      where e.account_id = $1`,
    [accountId, eventCount],
  );
  await database.query(
    `insert into event_days (account_id, name_id, profile_id, day, n)
     select account_id, name_id, profile_id, (at at time zone 'UTC')::date, count(*) from events where account_id = $1
      group by 1, 2, 3, 4`,
    [accountId],
  );
  await database.query('insert into event_accounts (account_id, names) values ($1, 1)', [accountId]);
  await database.query('vacuum analyze');
}

async function fillIn({ api }: Customer): Promise<Row> {
  const started = performance.now();
  for (const [key, type] of Object.entries(types)) {
    await api.call(putField, { params: { path: `custom_fields.${key}` }, body: { type } });
  }
  for (;;) {
    const { body } = await api.call(listFields);
    if (body.data.every(({ state }) => state !== 'building')) break;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  const ms = performance.now() - started;
  const values = profileCount * Object.keys(types).length;
  return { what: 'values of typed fields filled in', figure: rate(values, ms), baseline: '-', ratio: '-', bound: '-' };
}

type Case = { what: string; criteria: Criteria; plain: RawBuilder<boolean>; bound: string };

async function benchCounts({ database, connectionString }: Bench, { id: accountId }: Customer): Promise<Row[]> {
  await database.query('vacuum analyze typed_values');
  const { db } = watchDatabase(database);
  // As counts of the product are read.
  const reads = createPool({ connectionString, logger: createLogger('silent'), ...readPoolOptions });
  const { db: readDb } = watchDatabase(reads);
  const fields = await db
    .selectFrom('typed_fields')
    .select(['path', 'id', 'type'])
    .where('account_id', '=', accountId)
    .execute();
  const now = new Date();
  const typed = (key: string) => {
    const field = fields.find(({ path }) => path === `custom_fields.${key}`);
    if (!field) throw new Error(`${key} has no index`);
    return { type: field.type, since: new Date(0).toISOString(), [indexedAs]: field.id };
  };
  const text = (key: string) => sql`profiles.custom_fields ->> ${sql.lit(key)}`;
  const seen = (days: number): Criteria => ({
    field: 'custom_fields.seen_at',
    op: 'within_last',
    n: days,
    unit: 'days',
    typed: typed('seen_at'),
  });
  const isSeen = (
    days: number,
  ) => sql<boolean>`((${text('seen_at')})::timestamptz > ${new Date(now.getTime() - days * dayMs)}
                                        and (${text('seen_at')})::timestamptz <= ${now})`;
  const created = (days: number): Criteria => ({ field: 'created_at', op: 'within_last', n: days, unit: 'days' });
  const ordered = (more: object): Criteria => ({
    event: 'Ordered',
    times: { op: '>=', n: 2 },
    window: { last: 30, unit: 'days' },
    ...more,
  });
  const hasOrdered = (condition: RawBuilder<unknown>) => sql<boolean>`(profiles.id in (
    select profile_id from events e where e.account_id = ${accountId} and e.at >= ${new Date(now.getTime() - 30 * dayMs)}
       and ${condition} group by profile_id having count(*) >= 2))`;
  const isPro: Criteria = { field: 'custom_fields.plan', op: 'equals', value: 'pro', typed: typed('plan') };
  const cases: Case[] = [
    {
      what: 'a text, a typed date and events by day',
      criteria: { all: [isPro, seen(90), ordered({})] },
      plain: sql`(lower(${text('plan')}) = 'pro' and ${isSeen(90)} and ${hasOrdered(sql`true`)})`,
      bound: 'under 300 ms, and 2 times',
    },
    {
      what: 'the same with where on a property',
      criteria: { all: [isPro, seen(90), ordered({ where: [{ field: 'properties.total', op: 'gt', value: 50 }] })] },
      plain: sql`(lower(${text('plan')}) = 'pro' and ${isSeen(90)}
                  and ${hasOrdered(sql`(e.properties ->> 'total')::float8 > 50`)})`,
      bound: '-',
    },
    {
      what: 'a span of a typed date, beside created_at',
      criteria: seen(3),
      plain: questionOf(created(3)).predicate({ accountId, now, timezone: 'UTC' }),
      bound: '1.5 times',
    },
    {
      what: 'a number',
      criteria: { field: 'custom_fields.visits', op: 'gt', value: 490, typed: typed('visits') },
      plain: sql`((${text('visits')})::float8 > 490)`,
      bound: '2 times',
    },
  ];
  const rows: Row[] = [];
  for (const { what, criteria, plain, bound } of cases) {
    const asking = {
      account: { id: accountId, timezone: 'UTC' },
      clock: { now: () => now },
      actor: { kind: 'system' },
    };
    const ids = matchingIds(asking as AccountContext, questionOf(criteria));
    if (!ids) throw new Error(`${what} is not found by its indexes`);
    const matching = {
      product: sql`(${ids})`,
      plain: sql`(select id from profiles where profiles.account_id = ${accountId} and ${plain})`,
    };
    const times = { product: [] as number[], plain: [] as number[] };
    const counts = new Set<number>();
    for (let round = 0; round <= rounds; round += 1) {
      for (const way of ['product', 'plain'] as const) {
        const reader = way === 'product' ? readDb : db;
        const { ms, count } = await reader.transaction().execute(async (tx) => {
          if (way === 'product') await mergeLargeSets({ db: tx });
          const before = performance.now();
          const { rows: counted } = await sql<{ count: number }>`
            select count(*)::int as count from ${matching[way]} as matching`.execute(tx);
          return { ms: performance.now() - before, count: counted[0]?.count ?? 0 };
        });
        // The first fills the caches.
        if (round > 0) times[way].push(ms);
        counts.add(count);
      }
    }
    if (counts.size !== 1) {
      process.exitCode = 1;
      rows.push({ what, figure: [...counts].join(', '), baseline: '-', ratio: '-', bound: 'COUNTS DIFFER' });
      continue;
    }
    const [ours, theirs] = [median(times.product), median(times.plain)];
    const ratio = (ours / theirs).toFixed(2);
    rows.push({ what, figure: milliseconds(ours), baseline: milliseconds(theirs), ratio, bound });
  }
  await reads.end();
  return rows;
}

/** The evaluator alone: 10,000 people who are in memory, 50 expressions. */
async function benchMemory({ database }: Bench, { id: accountId }: Customer): Promise<Row> {
  const size = Math.min(10_000, profileCount);
  const { rows: people } = await database.query<Person>(
    'select * from profiles where account_id = $1 order by id limit $2',
    [accountId, size],
  );
  const since = new Date(0).toISOString();
  const questions = Array.from({ length: 50 }, (_, index) =>
    questionOf({
      all: [
        {
          field: 'custom_fields.plan',
          op: 'equals',
          value: index % 2 === 0 ? 'pro' : 'team',
          typed: { type: 'text', since },
        },
        { field: 'custom_fields.visits', op: 'gt', value: index, typed: { type: 'number', since } },
        {
          field: 'custom_fields.seen_at',
          op: 'within_last',
          n: index + 1,
          unit: 'days',
          typed: { type: 'date', since },
        },
      ],
    }),
  );
  const moment = { accountId, now: new Date(), timezone: 'UTC' };
  const started = process.cpuUsage();
  let matching = 0;
  for (const person of people) {
    for (const question of questions) {
      if (question.evaluate(person, moment) === true) matching += 1;
      question.validUntil(person, moment);
    }
  }
  const { user } = process.cpuUsage(started);
  const what = `${size} people x 50 expressions in memory, ${matching} matches`;
  return { what, figure: `${(user / 1e6).toFixed(2)} s of CPU`, baseline: '-', ratio: '-', bound: '3 s at 10,000' };
}
