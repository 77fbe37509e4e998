import type pg from 'pg';
import { listBulkRuns } from '#contracts/bulk-runs.ts';
import { listCampaigns } from '#contracts/campaigns.ts';
import { listConversations } from '#contracts/conversations.ts';
import type { Endpoint } from '#contracts/endpoint.ts';
import { listFlows } from '#contracts/flows.ts';
import { searchMessages } from '#contracts/message-search.ts';
import { listPhoneNumbers } from '#contracts/phone-numbers.ts';
import { listProfiles } from '#contracts/profiles.ts';
import { listTemplates } from '#contracts/saved-templates.ts';
import { listSegments } from '#contracts/segments.ts';
import type { Actor } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { bulkRunRoutes } from '#server/modules/outreach/bulk/index.ts';
import { campaignRoutes } from '#server/modules/outreach/campaigns/index.ts';
import { conversationRoutes } from '#server/modules/messaging/conversations/index.ts';
import { flowRoutes } from '#server/modules/outreach/flows/index.ts';
import { messageRoutes } from '#server/modules/messaging/messages/index.ts';
import { phoneNumberRoutes } from '#server/modules/numbers/phones/index.ts';
import { profileListRoutes } from '#server/modules/audience/lists/index.ts';
import { segmentRoutes } from '#server/modules/audience/segments/index.ts';
import { templateRoutes } from '#server/modules/outreach/templates/index.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Route } from '#server/route.ts';
import { makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import type { Customer } from '#tests/support/customer.ts';
import { makeManyConversations, makeManyOfEverything } from '#tests/support/many-of-everything.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs } from './cpu-time.ts';
import { percentile } from './measure.ts';
import { watchDatabase } from './query-plans.ts';

const count = 10_000;
const repetitions = 4;
const bound = '100 ms of the server, and no table read whole';

type List = {
  what: string;
  table: string;
  /** Another table that is looked through. */
  beside?: string;
  endpoint: Endpoint;
  routes: readonly Route[];
  typed: readonly string[];
};

const byName = ['spring 77', 'no 4321', 'zebra'];
const byText = ['order 77', 'number 4321', 'zebra', '4155552'];
const page = { page: 1, pageSize: 50 };

const lists: readonly (List & { query: object })[] = [
  { what: 'segments', table: 'segments', endpoint: listSegments, routes: segmentRoutes, typed: byName, query: page },
  {
    what: 'campaigns',
    table: 'campaigns',
    endpoint: listCampaigns,
    routes: campaignRoutes,
    typed: byName,
    query: page,
  },
  { what: 'flows', table: 'flows', endpoint: listFlows, routes: flowRoutes, typed: byName, query: page },
  { what: 'bulk runs', table: 'bulk_runs', endpoint: listBulkRuns, routes: bulkRunRoutes, typed: byName, query: page },
  {
    what: 'templates (1,000)',
    table: 'saved_templates',
    endpoint: listTemplates,
    routes: templateRoutes,
    typed: byName,
    query: page,
  },
  {
    what: 'phones',
    table: 'phones',
    endpoint: listPhoneNumbers,
    routes: phoneNumberRoutes,
    typed: [...byName, '+49 300 0004'],
    query: page,
  },
  {
    what: 'profiles',
    table: 'profiles',
    endpoint: listProfiles,
    routes: profileListRoutes,
    typed: ['person 77', '+14155552', 'zebra'],
    query: page,
  },
  {
    what: 'messages',
    table: 'messages',
    endpoint: searchMessages,
    // Nothing is sent.
    routes: messageRoutes({} as never),
    typed: byText,
    query: { limit: 50 },
  },
  {
    what: 'conversations',
    table: 'conversations',
    beside: 'profiles',
    endpoint: listConversations,
    routes: conversationRoutes,
    typed: byText,
    query: { limit: 50 },
  },
];

/** Every text that is in the field while these are typed. */
const keystrokes = (typed: readonly string[]) =>
  typed.flatMap((text) => Array.from(text, (_, index) => text.slice(0, index + 1)));

/** Each list of an account with 10,000 of everything beside another such account, searched keystroke by keystroke. */
export async function benchLists(bench: Bench): Promise<object[]> {
  await using product = await bench.start({});
  const customer = await signUpSubscriber(product.url);
  const { id: projectId } = await makeProject(customer);
  const other = await signUpSubscriber(product.url);
  for (const [owner, project] of [
    [other, await makeProject(other)],
    [customer, { id: projectId }],
  ] as const) {
    const of = { accountId: owner.id, projectId: project.id };
    await makeManyOfEverything(bench.database, { ...of, count });
    await makeManyConversations(bench.database, of);
  }
  const baseline = await timesOf(customer, product.url, ['/api/user/me']);
  const figures: object[] = [];
  for (const list of lists) {
    const path = list.endpoint.path.replace('{projectId}', String(projectId));
    const queries = keystrokes(list.typed).map((search) => ({ ...list.query, search }));
    const urls = queries.map((query) => `${path}?${new URLSearchParams(textOf(query)).toString()}`);
    const cpuBefore = await cpuTimeMs(product.pid, bench.database);
    const times = await timesOf(customer, product.url, urls);
    const cpuMs = (await cpuTimeMs(product.pid, bench.database)) - cpuBefore;
    const indexes = await indexesOf(bench.database, { customer, params: { projectId }, list, queries });
    if (indexes.includes('seq scan')) process.exitCode = 1;
    figures.push({
      what: `search ${list.what}`,
      figure: `p50 ${percentile(times, 0.5).toFixed(1)} ms, p95 ${percentile(times, 0.95).toFixed(1)} ms`,
      'processor time': `${(cpuMs / (urls.length * (repetitions + 1))).toFixed(1)} ms each`,
      baseline: `who am I: ${percentile(baseline, 0.5).toFixed(1)} ms`,
      bound,
      indexes: indexes.join(', '),
    });
  }
  return figures;
}

const textOf = (query: object) => Object.fromEntries(Object.entries(query).map(([key, value]) => [key, String(value)]));

/** Milliseconds over loopback; the first round fills the caches. */
export async function timesOf({ token }: Customer, url: string, paths: readonly string[]): Promise<number[]> {
  const times: number[] = [];
  for (let repetition = 0; repetition <= repetitions; repetition += 1) {
    for (const path of paths) {
      const started = performance.now();
      const response = await fetch(url + path, { headers: { authorization: token } });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${path} was answered with ${response.status}`);
      if (repetition > 0) times.push(performance.now() - started);
    }
  }
  return times;
}

type Asked = {
  customer: Customer;
  params: object;
  list: Pick<List, 'table' | 'beside' | 'endpoint' | 'routes'>;
  queries: readonly object[];
};

/** The indexes that the planner chooses with all rows present; `seq scan` where it reads the list's table whole. */
export async function indexesOf(database: pg.Pool, { customer, params, list, queries }: Asked): Promise<string[]> {
  const watched = watchDatabase(database, [list.table, ...(list.beside === undefined ? [] : [list.beside])]);
  const account = { id: customer.id, timezone: 'UTC' };
  const actor: Actor = { kind: 'system' };
  const ctx = { db: watched.db, reads: 'admitted', clock: systemClock, account, actor } as AccountContext;
  const route = list.routes.find(({ endpoint }) => endpoint === list.endpoint);
  if (!route) throw new Error(`${list.endpoint.path} is not mounted`);
  for (const query of queries) {
    const asked = list.endpoint.query?.parse(query) ?? query;
    await route.handle(ctx, { params, query: asked }, {} as never);
  }
  return watched.indexesUsed();
}
