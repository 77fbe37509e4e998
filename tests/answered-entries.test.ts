import { Kysely, PostgresDialect } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listBulkRows } from '#contracts/bulk-runs.ts';
import { listRecipients } from '#contracts/campaigns.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { listDeliveries } from '#contracts/flows.ts';
import type { Database } from '#server/database.ts';
import { bulkRunRoutes } from '#server/modules/bulk-runs/index.ts';
import { campaignRoutes } from '#server/modules/campaigns/index.ts';
import { flowRoutes } from '#server/modules/flows/index.ts';
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
    own: ['row_number, fields', `n, '{}'`],
    endpoint: listBulkRows,
    routes: bulkRunRoutes,
    param: 'runId',
    keyOf: ({ row }) => row,
    isNewestFirst: false,
  },
];

let app: TestApplication;
let accountId: number;
let messages = 0;

beforeAll(async () => {
  app = await startTestApplication();
  const customer = await signUpSubscriber(app.url);
  accountId = customer.id;
  const { id: projectId } = await makeProject(customer);
  await makeManyOfEverything(app.ctx.pool, { accountId, projectId, count: 2 });
});

afterAll(() => app[Symbol.asyncDispose]());

/** A source whose entries have all been sent, of which those with these keys were answered; nothing is analysed. */
async function makeSource({ source, sources, entries, own }: Case, which: number, answered: string): Promise<number> {
  const { pool } = app.ctx;
  const { rows } = await pool.query<{ id: number }>(
    `select id from ${sources} where account_id = $1 order by id offset $2 limit 1`,
    [accountId, which],
  );
  const id = rows[0]?.id ?? 0;
  const before = messages;
  messages += entryCount;
  await pool.query(
    `insert into ${entries} (account_id, ${source}_id, phone, status, message_id, ${own[0]})
     select $1, $2::bigint, '14155550100', 'sent', $4::bigint + n, ${own[1]} from generate_series(1, $3::int) n`,
    [accountId, id, entryCount, before],
  );
  await pool.query(
    `insert into message_answers (account_id, message_id, source, source_id, answered_at)
     select $1, $5::bigint + n, $3, $2::bigint, now() from generate_series(1, $4::int) n where ${answered}`,
    [accountId, id, source, entryCount, before],
  );
  return id;
}

async function listAnswered({ endpoint, routes, param }: Case, id: number, page = 1) {
  const statements: CompiledQuery[] = [];
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: app.ctx.pool }),
    log: ({ query }) => void statements.push(query),
  });
  const ctx = { ...app.ctx, db, account: { id: accountId, timezone: 'UTC' }, reads: 'admitted' };
  const route = routes.find((each) => each.endpoint === endpoint);
  const handle = route?.handle as unknown as (...given: readonly unknown[]) => Promise<{
    total: number;
    data?: Record<string, unknown>[];
    deliveries?: Record<string, unknown>[];
  }>;
  const input = { params: { [param]: id }, query: { page, pageSize, status: 'replied' } };
  const body = await handle(ctx, input, {});
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

describe.each(cases)('who answered a $source', (of) => {
  const inOrder = (keys: readonly number[]) => (of.isNewestFirst ? keys.toReversed() : [...keys]);

  test('are found without reading the rest where they are few', async () => {
    const id = await makeSource(of, 0, 'n in (7, 5000, 11990)');
    const { body, statements } = await listAnswered(of, id);
    expect(body.total).toBe(3);
    expect((body.data ?? body.deliveries ?? []).map(of.keyOf)).toEqual(inOrder([7, 5000, 11_990]));
    expect(await rowsRead(of.entries, statements)).toBeLessThan(50);
  });

  test('are met on the way where they are nearly all', async () => {
    const id = await makeSource(of, 1, 'n % 100 <> 0');
    const { body, statements } = await listAnswered(of, id, 2);
    const keys = Array.from({ length: entryCount }, (_, index) => index + 1).filter((n) => n % 100 !== 0);
    expect(body.total).toBe(keys.length);
    expect((body.data ?? body.deliveries ?? []).map(of.keyOf)).toEqual(inOrder(keys).slice(pageSize, 2 * pageSize));
    expect(await rowsRead(of.entries, statements)).toBeLessThan(500);
  });
});
