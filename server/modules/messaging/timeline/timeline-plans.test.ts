import { Kysely, PostgresDialect } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createProfile } from '#contracts/profiles.ts';
import type { TimelineKind } from '#contracts/timeline.ts';
import { system } from '#server/actor.ts';
import type { Database } from '#server/database.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { readTimeline } from './read-timeline.ts';

const many = 30_000;
const limit = 50;

let app: TestApplication;
let accountId: number;
let profileId: number;

beforeAll(async () => {
  app = await startTestApplication();
  const customer = await signUpSubscriber(app.url);
  accountId = customer.id;
  const { id: projectId } = await makeProject(customer);
  const { body: profile } = await customer.api.call(createProfile, { body: { phone: '+14155550123', name: 'Ada' } });
  profileId = profile.id;
  const { pool } = app.ctx;
  const person = [accountId, profileId, many];
  await pool.query(
    `insert into messages (account_id, project_id, profile_id, direction, recipient, body, status, created_at)
     select $1, $4, $2, 'outgoing', '14155550123', 'Hi', 'sent', now() - n * interval '1 second'
       from generate_series($3::int, 1, -1) as n`,
    [...person, projectId],
  );
  await pool.query(
    `with named as (
       insert into event_names (account_id, name, first_at, last_at) values ($1, 'Ordered', now(), now()) returning id
     )
     insert into events (account_id, profile_id, name_id, at, received_at, properties, bytes)
     select $1, $2, named.id, now() - n * interval '1 second', now(), '{}', 200
       from generate_series(1, $3::int) as n, named`,
    person,
  );
  await pool.query(
    `insert into segment_moves (account_id, profile_id, segment_id, segment_name, state, at)
     select $1, $2, 1, 'VIP', 'joined', now() - n * interval '1 second' from generate_series($3::int, 1, -1) as n`,
    person,
  );
  await pool.query('analyze messages, events, segment_moves');
});
afterAll(() => app[Symbol.asyncDispose]());

type Plan = {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
};

/** How many rows the plan's scans looked at. */
function rowsRead(plan: Plan): number {
  const inner = (plan.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), 0);
  if (!plan['Node Type'].includes('Scan')) return inner;
  return inner + (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
}

/** A page, and for each of its statements how many rows it reads. */
async function readWatched(query: { kind?: TimelineKind[]; after?: string }) {
  const asked: CompiledQuery[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: app.ctx.pool }),
    log({ query: statement }) {
      asked.push(statement);
    },
  });
  const ctx = { ...app.ctx, db, account: { id: accountId, timezone: 'UTC' }, actor: system };
  const { next_cursor: next } = await readTimeline(ctx, { profileId, limit, ...query });
  const read: number[] = [];
  for (const { sql: text, parameters } of asked) {
    const explain = `explain (analyze, format json) ${text}`;
    const { rows } = await app.ctx.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(explain, [...parameters]);
    const [top] = rows[0]?.['QUERY PLAN'] ?? [];
    if (top) read.push(rowsRead(top.Plan));
  }
  return { next, read };
}

test.each<[string, TimelineKind[] | undefined]>([
  ['all kinds', undefined],
  ['messages', ['message']],
  ['events', ['event']],
  ['segments', ['segment']],
])('a page of a person with thousands of entries reads no more than it shows, of %s', async (_, kind) => {
  const asked = kind === undefined ? {} : { kind };
  const first = await readWatched(asked);
  const second = await readWatched({ ...asked, after: first.next ?? '' });
  const third = await readWatched({ ...asked, after: second.next ?? '' });
  const read = [first, second, third].flatMap((page) => page.read);
  expect(read.length).toBeGreaterThan(3);
  // A source reads a page and one more; what it joins is found by its key.
  expect(Math.max(...read)).toBeLessThanOrEqual(3 * (limit + 1));
});
