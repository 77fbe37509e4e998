import { Kysely, PostgresDialect } from 'kysely';
import type { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listBulkRuns } from '#contracts/bulk-runs.ts';
import { createCampaign, listCampaigns } from '#contracts/campaigns.ts';
import { createFlow, listFlows } from '#contracts/flows.ts';
import { listAllPhoneNumbers, listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { listProfiles } from '#contracts/profiles.ts';
import { createSegment, listSegments } from '#contracts/segments.ts';
import type { Database } from '#server/database.ts';
import { bulkRunRoutes } from '#server/modules/outreach/bulk/index.ts';
import { campaignRoutes } from '#server/modules/outreach/campaigns/index.ts';
import { flowRoutes } from '#server/modules/outreach/flows/index.ts';
import { profileListRoutes } from '#server/modules/audience/lists/index.ts';
import { phoneNumberRoutes } from '#server/modules/numbers/phones/index.ts';
import { segmentRoutes } from '#server/modules/audience/segments/index.ts';
import type { Route } from '#server/route.ts';
import { startTestApplication } from '#tests/support/application.ts';
import type { TestApplication } from '#tests/support/application.ts';
import { makeManyOfEverything } from '#tests/support/many-of-everything.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';

let app: TestApplication;

beforeAll(async () => {
  app = await startTestApplication();
});

afterAll(async () => {
  await app[Symbol.asyncDispose]();
});

const condition = { fieldPath: 'name', operator: 'equals', value: 'Ada' } as const;

async function makeSegments({ api }: Customer, names: readonly string[]): Promise<void> {
  for (const name of names) await api.call(createSegment, { body: { name, condition } });
}

describe('a list', () => {
  const names = ['São Paulo leads', 'Zürich', 'sao tome', 'Berlin (old leads)', '100% VIP_club', 'العملاء الجدد'];
  let customer: Customer;

  beforeAll(async () => {
    customer = await signUpSubscriber(app.url);
    await makeSegments(customer, names);
    await makeSegments(await signUpSubscriber(app.url), ['São Paulo elsewhere']);
  });

  const find = async (search: string) =>
    (await customer.api.call(listSegments, { query: { search } })).body.data.map(({ name }) => name);

  test.each([
    ['leads', [names[3], names[0]]],
    ['leads sao', [names[0]]],
    ['SAO', [names[2], names[0]]],
    ['são', [names[2], names[0]]],
    ['urich', [names[1]]],
    ['zu', [names[1]]],
    ['ao', []],
    ['%', []],
    ['100%', [names[4]]],
    ['p_c', [names[4]]],
    ['p_p', []],
    ['الجدد', [names[5]]],
    [String.raw`\\`, []],
    ['nothing', []],
    ['', names.toReversed()],
  ])('searched for “%s” has those with all words or their parts, whatever case and accents', async (search, found) => {
    expect(await find(search)).toEqual(found);
  });

  test('is whole unless a page is asked for, by its number with the total', async () => {
    const { body: whole } = await customer.api.call(listSegments);
    expect(Object.keys(whole)).toEqual(['data']);
    const query = { page: 2, pageSize: 4, sort: 'name' } as const;
    const { body } = await customer.api.call(listSegments, { query });
    expect(body).toMatchObject({ total: 6, page: 2, pageSize: 4, next_cursor: null });
    expect(body.data.map(({ name }) => name)).toEqual(['Zürich', 'العملاء الجدد']);
  });

  test.each(['created', 'name', 'updated'] as const)(
    'sorted by %s is walked by cursors: each once, whatever is added meanwhile',
    async (sort) => {
      const walker = await signUpSubscriber(app.url);
      await makeSegments(walker, ['b', 'a', 'c', 'a', 'b']);
      const seen: number[] = [];
      let after: string | undefined;
      do {
        const { body } = await walker.api.call(listSegments, { query: { sort, pageSize: 2, after } });
        seen.push(...body.data.map(({ id }) => id));
        if (after === undefined) await makeSegments(walker, [sort === 'name' ? '0' : 'later']);
        after = body.next_cursor ?? undefined;
      } while (after !== undefined);
      expect(seen).toHaveLength(5);
      expect(new Set(seen).size).toBe(5);
    },
  );

  test('refuses a cursor of another order, or none at all', async () => {
    const { body } = await customer.api.call(listSegments, { query: { sort: 'name', pageSize: 1 } });
    const after = body.next_cursor ?? '';
    for (const query of [{ after }, { after, sort: 'name', order: 'desc' } as const, { after: 'bm9uZQ' }]) {
      const { status, body: problem } = await customer.api.refuse(listSegments, { query });
      expect([status, problem.errors?.[0]?.path]).toEqual([422, 'after']);
    }
  });

  test('takes filters: campaigns by status, flows by whether they are active, phones by words and digits', async () => {
    const owner = await signUpSubscriber(app.url);
    const { id: project_id } = await makeProject(owner);
    await connectSandboxPhone(owner, project_id, { phone_number: '+49 30 2312 5440', name: 'Marketing DE' });
    await connectSandboxPhone(owner, project_id, { phone_number: '+33 1 84 88 55 02', name: 'Marketing FR' });
    const { body: segment } = await owner.api.call(createSegment, { body: { name: 'Ada', condition } });
    const campaign = {
      project_id,
      segment_id: segment.id,
      message: 'Hi',
      when: new Date(Date.now() + 9e6).toISOString(),
    };
    await owner.api.call(createCampaign, { body: { ...campaign, name: 'Later' } });
    const query = { status: 'scheduled', page: 1 } as const;
    expect((await owner.api.call(listCampaigns, { query })).body).toMatchObject({ total: 1, under_way: 0 });
    expect((await owner.api.call(listCampaigns, { query: { ...query, status: 'failed' } })).body.total).toBe(0);
    const action = { type: 'send_message', project_id, message: 'Hi' } as const;
    await owner.api.call(createFlow, { body: { name: 'Welcome', conditions: [condition], action, active: false } });
    expect((await owner.api.call(listFlows, { query: { active: 'true', page: 1 } })).body.total).toBe(0);
    expect((await owner.api.call(listFlows, { query: { active: 'false', search: 'wel' } })).body.data).toHaveLength(1);
    const phones = async (search: string) =>
      (await owner.api.call(listAllPhoneNumbers, { query: { search } })).body.data.map(({ name }) => name);
    expect(await phones('+49 30 23')).toEqual(['Marketing DE']);
    expect(await phones('fr market')).toEqual(['Marketing FR']);
  });
});

describe('with 10,000 of everything', () => {
  const count = 10_000;
  let customer: Customer;
  let projectId: number;

  beforeAll(async () => {
    customer = await signUpSubscriber(app.url);
    const other = await signUpSubscriber(app.url);
    projectId = (await makeProject(customer)).id;
    const otherProjectId = (await makeProject(other)).id;
    await makeManyOfEverything(app.ctx.pool, { accountId: other.id, projectId: otherProjectId, count });
    await makeManyOfEverything(app.ctx.pool, { accountId: customer.id, projectId, count });
  });

  type List = { path: string; routes: readonly Route[]; sorts: readonly string[] };
  const lists: List[] = [
    { path: listSegments.path, routes: segmentRoutes, sorts: ['created', 'name', 'updated'] },
    { path: listCampaigns.path, routes: campaignRoutes, sorts: ['created', 'name', 'status', 'progress'] },
    { path: listFlows.path, routes: flowRoutes, sorts: ['created', 'name', 'last_run'] },
    { path: listBulkRuns.path, routes: bulkRunRoutes, sorts: ['created', 'name'] },
    { path: listPhoneNumbers.path, routes: phoneNumberRoutes, sorts: ['created', 'name', 'status', 'priority'] },
  ];

  const framing = /^(begin|commit|rollback|set|start) /i;

  /** The statements that an answer takes, as they are run, without those that frame a transaction. */
  async function statementsOf({ path, routes }: List, query: object): Promise<CompiledQuery[]> {
    const route = routes.find(({ endpoint }) => endpoint.method === 'GET' && endpoint.path === path);
    const statements: CompiledQuery[] = [];
    const db = new Kysely<Database>({
      dialect: new PostgresDialect({ pool: app.ctx.pool }),
      log: ({ query: statement }) => {
        if (!framing.test(`${statement.sql.trim()} `)) statements.push(statement);
      },
    });
    const ctx = { ...app.ctx, db, account: { id: customer.id, timezone: 'UTC' }, reads: 'admitted' };
    const input = { params: { projectId }, query: { sort: 'created', pageSize: 50, ...query } };
    const handle = route?.handle as unknown as (...given: readonly unknown[]) => Promise<unknown>;
    await handle(ctx, input, {});
    return statements;
  }

  type Plan = { 'QUERY PLAN': string };

  /** The plan of a statement, with sequential scans allowed only where nothing else can serve. */
  async function planOf({ sql, parameters }: CompiledQuery): Promise<string> {
    const client = await app.ctx.pool.connect();
    try {
      await client.query('begin; set local enable_seqscan = off');
      const { rows } = await client.query<Plan>(`explain ${sql}`, [...parameters]);
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    } finally {
      await client.query('rollback');
      client.release();
    }
  }

  /** The owner's rows are half of their table: whether an index is worth it, is up to the numbers; that there is one is not. */
  async function expectIndexes(statements: readonly CompiledQuery[]): Promise<void> {
    for (const statement of statements)
      expect(await planOf(statement), statement.sql).not.toMatch(
        /Seq Scan on (segments|campaigns|flows|bulk_runs|phones|profiles)/,
      );
  }

  const cases = lists.flatMap((list) => list.sorts.map((sort) => ({ ...list, sort })));

  test.each(cases)('$path by $sort is answered through an index', async (list) => {
    for (const search of ['', 'spring', 'no 77', '9']) {
      const statements = await statementsOf(list, { sort: list.sort, search, page: 1 });
      expect(statements.length).toBeGreaterThan(1);
      await expectIndexes(statements);
    }
  });

  const profiles: List = { path: listProfiles.path, routes: profileListRoutes, sorts: [] };

  test.each([
    { search: 'person 77' },
    { search: '14' },
    { search: '+1415555' },
    { tags: ['t7'] },
    { tags: ['all'], sort: 'name' },
    { status: 'active', opted_out: 'false', sort: 'updated_at' },
    { search: 'pers', tags: ['t7', 'all'], sort: 'phone' },
  ])('profiles by %j are answered through an index', async (query) => {
    const statements = await statementsOf(profiles, { sort: 'id', page: 1, ...query });
    expect(statements.length).toBeGreaterThan(0);
    await expectIndexes(statements);
  });
});
