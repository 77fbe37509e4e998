import { Kysely, PostgresDialect } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listBulkRows } from '#contracts/bulk-runs.ts';
import { listRecipients } from '#contracts/campaigns.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { listDeliveries } from '#contracts/flows.ts';
import type { Database } from '#server/database.ts';
import { bulkRunRoutes } from '#server/modules/outreach/bulk/index.ts';
import { campaignRoutes } from '#server/modules/outreach/campaigns/index.ts';
import { flowRoutes } from '#server/modules/outreach/flows/index.ts';
import type { Route } from '#server/route.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { makeManyOfEverything } from '#tests/support/many-of-everything.ts';

const entryCount = 12_000;
const pageSize = 20;

type Case = {
  source: 'campaign' | 'flow' | 'bulk_run';
  sources: string;
  entries: string;
  /** Columns beside those that all have, and their values for the entry `n`. */
  own: readonly [columns: string, values: string];
  endpoint: Endpoint;
  routes: readonly Route[];
  param: string;
  keyOf(entry: Record<string, unknown>): unknown;
  isNewestFirst: boolean;
};

const cases: readonly Case[] = [
  {
    source: 'campaign',
    sources: 'campaigns',
    entries: 'campaign_recipients',
    own: ['profile_id', 'n'],
    endpoint: listRecipients,
    routes: campaignRoutes,
    param: 'campaignId',
    keyOf: ({ profile_id }) => profile_id,
    isNewestFirst: false,
  },
  {
    source: 'flow',
    sources: 'flows',
    entries: 'flow_deliveries',
    own: ['id, profile_id, project_id, created_at', 'n, n, 1, now()'],
    endpoint: listDeliveries,
    routes: flowRoutes,
    param: 'flowId',
    keyOf: ({ id }) => id,
    isNewestFirst: true,
  },
  {
    source: 'bulk_run',
    sources: 'bulk_runs',
    entries: 'bulk_run_rows',
    own: ['row_number, fields', `n, jsonb_build_object('name', 'Person ' || n)`],
    endpoint: listBulkRows,
    routes: bulkRunRoutes,
    param: 'runId',
    keyOf: ({ row }) => row,
    isNewestFirst: false,
  },
];

let app: TestApplication;
let accountId: number;
let token: string;
let projectId: number;

beforeAll(async () => {
  app = await startTestApplication();
  const customer = await signUpSubscriber(app.url);
  accountId = customer.id;
  token = customer.token;
  projectId = (await makeProject(customer)).id;
  await makeManyOfEverything(app.ctx.pool, { accountId, projectId, count: 2 });
  // Of the same ids as the entries of campaigns and flows.
  await app.ctx.pool.query(`delete from profiles where account_id = $1`, [accountId]);
  await app.ctx.pool.query(
    `insert into profiles (account_id, id, phone, phone_given, national_number, name, phone_is_valid, status, created_at, updated_at)
     overriding system value
     select $1, n, '1415' || (1000000 + n), '1415' || (1000000 + n), '415' || (1000000 + n), 'Person ' || n, true, 'active', now(), now() from generate_series(1, $2::int) n`,
    [accountId, entryCount],
  );
});

afterAll(() => app[Symbol.asyncDispose]());

type Made = { answered?: string; read?: string };

/**
 * A source whose entries have all been sent, to the profiles that there are, of which those with these keys were
 * answered or read; nothing is analysed.
 */
async function makeSource(
  { source, sources, entries, own }: Case,
  which: number,
  { answered = 'false', read = 'false' }: Made,
): Promise<number> {
  const { pool } = app.ctx;
  const { rows } = await pool.query<{ id: number }>(
    `select id from ${sources} where account_id = $1 order by id offset $2 limit 1`,
    [accountId, which],
  );
  const id = rows[0]?.id ?? 0;
  await pool.query(
    `with written as (
       insert into messages (account_id, project_id, ${source}_id, direction, recipient, body, status, created_at, sent_at)
       select $1, $4, $2::bigint, 'outgoing', '1415' || (1000000 + n), 'Hi',
              case when ${read} then 'read' when n % 2 = 0 then 'delivered' else 'sent' end, now(), now()
         from generate_series(1, $3::int) n
       returning id, recipient
     ), numbered as (select id as message_id, recipient as phone, right(recipient, 7)::int - 1000000 as n from written), kept as (
       insert into ${entries} (account_id, ${source}_id, phone, status, message_id, ${own[0]})
       select $1, $2::bigint, phone, 'sent', message_id, ${own[1]} from numbered
     )
     insert into message_answers (account_id, message_id, source, source_id, answered_at)
     select $1, message_id, '${source}', $2::bigint, now() from numbered where ${answered}`,
    [accountId, id, entryCount, projectId],
  );
  return id;
}

type Query = { status?: string; search?: string; page?: number; pageSize?: number; after?: string };

async function list({ endpoint, routes, param }: Case, id: number, query: Query) {
  const statements: CompiledQuery[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: app.ctx.pool }),
    log: ({ query: statement }) => void statements.push(statement),
  });
  const ctx = { ...app.ctx, db, account: { id: accountId, timezone: 'UTC' }, reads: 'admitted' };
  const route = routes.find((each) => each.endpoint === endpoint);
  const handle = route?.handle as unknown as (...given: readonly unknown[]) => Promise<{
    total: number;
    next_cursor: string | null;
    data?: Record<string, unknown>[];
    deliveries?: Record<string, unknown>[];
  }>;
  const body = await handle(ctx, { params: { [param]: id }, query: { page: 1, pageSize, ...query } }, {});
  return { body, statements };
}

type Plan = {
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Relation Name'?: string;
  Plans?: Plan[];
};

/** How many rows of the table the statements read. */
async function rowsRead(table: string, statements: readonly CompiledQuery[]): Promise<number> {
  let read = 0;
  const add = (plan: Plan) => {
    if (plan['Relation Name'] === table)
      read += (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
    for (const inner of plan.Plans ?? []) add(inner);
  };
  for (const { sql, parameters } of statements) {
    const { rows } = await app.ctx.pool.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(
      `explain (analyze, format json) ${sql}`,
      [...parameters],
    );
    for (const { Plan: plan } of rows[0]?.['QUERY PLAN'] ?? []) add(plan);
  }
  return read;
}

describe.each(cases)('of a $source', (of) => {
  const inOrder = (keys: readonly number[]) => (of.isNewestFirst ? keys.toReversed() : [...keys]);
  const keysOf = ({ data, deliveries }: { data?: Record<string, unknown>[]; deliveries?: Record<string, unknown>[] }) =>
    (data ?? deliveries ?? []).map(of.keyOf);
  const few = 'n in (7, 5000, 11990)';
  let fewId: number;
  let manyId: number;

  beforeAll(async () => {
    fewId = await makeSource(of, 0, { answered: few, read: few });
    manyId = await makeSource(of, 1, { answered: 'n % 100 <> 0', read: 'n % 100 <> 0' });
  });

  test.each(['replied', 'read'])(
    'entries with the status %s are found without reading the rest where they are few',
    async (status) => {
      const { body, statements } = await list(of, fewId, { status });
      expect(body.total).toBe(3);
      expect(keysOf(body)).toEqual(inOrder([7, 5000, 11_990]));
      expect(await rowsRead(of.entries, statements)).toBeLessThan(50);
    },
  );

  test.each(['replied', 'read'])(
    'entries with the status %s are read in order where they are nearly all',
    async (status) => {
      const { body, statements } = await list(of, manyId, { status, page: 2 });
      const keys = Array.from({ length: entryCount }, (_, index) => index + 1).filter((n) => n % 100 !== 0);
      expect(body.total).toBe(keys.length);
      expect(keysOf(body)).toEqual(inOrder(keys).slice(pageSize, 2 * pageSize));
      expect(await rowsRead(of.entries, statements)).toBeLessThan(500);
    },
  );

  test('read messages count as delivered, too', async () => {
    const { body } = await list(of, fewId, { status: 'delivered' });
    expect(body.total).toBe(entryCount / 2 + 1);
  });

  test.each([
    ['person 11999', [11_999]],
    ['PERSON 11990', [11_990]],
    ['+1 415 100 5000', [5000]],
    ['1005000', [5000]],
    ['nobody', []],
    ['%', []],
  ])('a search for “%s” finds whose name or number has it', async (search, keys) => {
    const { body } = await list(of, fewId, { search });
    expect(keysOf(body)).toEqual(inOrder(keys));
    expect(body.total).toBe(keys.length);
  });

  test('a search and a state narrow each other', async () => {
    const { body } = await list(of, fewId, { search: 'person 1199', status: 'read' });
    expect(keysOf(body)).toEqual([11_990]);
    expect((await list(of, fewId, { search: 'person 1199', status: 'failed' })).body.total).toBe(0);
  });

  test('a search that matches nearly all lists them in order', async () => {
    const { body } = await list(of, fewId, { search: 'person', page: 2 });
    const keys = Array.from({ length: entryCount }, (_, index) => index + 1);
    expect(body.total).toBe(entryCount);
    expect(keysOf(body)).toEqual(inOrder(keys).slice(pageSize, 2 * pageSize));
  });

  test.each<Query>([{}, { search: 'person 1199' }, { status: 'read', pageSize: 1 }])(
    'a walk by cursors through %j meets each once',
    async (narrowing) => {
      const { total } = (await list(of, fewId, narrowing)).body;
      const seen: unknown[] = [];
      let after: string | null | undefined;
      while (after !== null && seen.length <= 200) {
        const { body } = await list(of, fewId, { pageSize: 4, ...narrowing, ...(after !== undefined && { after }) });
        seen.push(...keysOf(body));
        after = body.next_cursor;
      }
      expect(seen).toHaveLength(after === null ? total : 204);
      expect(new Set(seen).size).toBe(seen.length);
    },
  );

  test('a few people are looked for by indexes alone', async () => {
    for (const search of ['person 11999', '+14151005000']) {
      const { statements } = await list(of, fewId, { search });
      if (of.source === 'bulk_run' && !search.startsWith('+')) continue;
      expect(await rowsRead(of.entries, statements)).toBeLessThan(50);
    }
  });
});

test('a deleted profile is found by the number that its message went to', async () => {
  const [of] = cases;
  if (of === undefined) throw new Error('There are no cases');
  const { rows } = await app.ctx.pool.query<{ id: number }>(
    `select id from campaigns where account_id = $1 order by id limit 1`,
    [accountId],
  );
  const id = rows[0]?.id ?? 0;
  await app.ctx.pool.query(`delete from profiles where account_id = $1 and phone = '14151000042'`, [accountId]);
  expect((await list(of, id, { search: '1415 1000042' })).body.data).toMatchObject([
    { profile_id: 42, is_profile_deleted: true },
  ]);
});

test('deliveries that are searched for come as a file', async () => {
  const { rows } = await app.ctx.pool.query<{ id: number }>(
    `select id from flows where account_id = $1 order by id limit 1`,
    [accountId],
  );
  const path = `/api/flows/${rows[0]?.id}/deliveries/export?search=person%205000&status=read`;
  const response = await fetch(app.url + path, { headers: { authorization: token } });
  expect(response.headers.get('content-type')).toContain('text/csv');
  const [header, first, ...others] = (await response.text()).trim().split(/\r?\n/);
  expect(header).toMatch(/^profile_id,profile_name,phone,message,status,message_status,/);
  expect(first).toMatch(/^5000,Person 5000,14151005000,Hi,sent,read,/);
  expect(others).toEqual([]);
});
