import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { Pool as HttpPool } from 'undici';
import { atPlace } from '#server/platform/db/citus/find-place.ts';
import { inSchema } from '#server/platform/db/schema.ts';
import { makeCitusCell } from '#tests/citus-cells.ts';
import { asOwner } from '#tests/support/as-owner.ts';
import { insertProfiles } from '#tests/support/audience.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { startProduct } from '#tests/support/product.ts';
import { openSeedingPool } from './bench.ts';
import { alone, figure, measurePairs } from './figures.ts';
import type { Figure } from './figures.ts';
import { runWithCallers } from './measure.ts';
import { allDelivered, postMessages } from './messages.ts';

/** As a superuser. */
const coordinator = process.env['CITUS_URL'];

const rounds = 5;
const profileCount = 20_000;
const linesPerBatch = 100;

/** A product with an account that has all that is measured. */
type Side = {
  url: string;
  database: pg.Pool;
  projectId: number;
  authKey: string;
  token: string;
  apiKey: string;
};

/** A cell on a worker of Citus beside a plain database of the same server, in turn; both products idle between. */
export async function benchCitus(): Promise<Figure[]> {
  if (coordinator === undefined) return [alone('a cell on Citus', 'skipped: CITUS_URL names no coordinator', '-')];
  await using stack = new AsyncDisposableStack();
  const cell = await makeCitusCell(coordinator);
  stack.defer(cell.drop);
  const node = atPlace(coordinator, await cell.place());
  const name = `plain_${randomBytes(4).toString('hex')}`;
  await asOwner({ ownerConnectionString: node }, `create database ${name}`);
  stack.defer(() => asOwner({ ownerConnectionString: node }, `drop database ${name} with (force)`));
  const plainUrl = Object.assign(new URL(node), { pathname: name }).href;

  async function open(env: Record<string, string>, connectionString: string): Promise<Side> {
    const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-bench-'));
    stack.defer(() => rm(dataDir, { recursive: true, force: true }));
    const product = await startProduct({
      env: { DATA_DIR: dataDir, SECRET_KEY: randomBytes(32).toString('base64'), ...env },
    });
    stack.defer(async () => void (await product.stop()));
    const database = openSeedingPool(connectionString);
    stack.defer(() => database.end());
    const customer = await signUpSubscriber(product.url);
    const { id: projectId, auth_key: authKey } = await makeProject(customer);
    await connectSandboxPhone(customer, projectId, { max_daily_messages: 1_000_000 });
    await insertProfiles(database, customer.id, profileCount);
    await database.query('analyze profiles');
    return { url: product.url, database, projectId, authKey, token: customer.token, apiKey: customer.apiKey };
  }

  const onCitus = await open({ DATABASE_URL: coordinator, DATABASE_SCHEMA: cell.schema }, inSchema(node, cell.schema));
  const plain = await open({ DATABASE_URL: plainUrl }, plainUrl);
  const figures: Figure[] = [];
  for (const [what, measure] of Object.entries(measures)) {
    const pairs = await measurePairs(rounds, async () => ({
      product: await measure(onCitus),
      baseline: await measure(plain),
    }));
    figures.push(figure(what, pairs, '-'));
  }
  return figures;
}

type Call = { method: 'GET' | 'POST'; path: string; authorization: string; body?: object };

/** Calls per second. */
async function rateOf({ url }: Side, count: number, callers: number, call: (index: number) => Call): Promise<number> {
  const http = new HttpPool(url, { connections: callers });
  try {
    const { seconds } = await runWithCallers(count, callers, async (index) => {
      const { method, path, authorization, body } = call(index);
      const headers = { authorization, ...(body && { 'content-type': 'application/json' }) };
      const answer = await http.request({ method, path, headers, ...(body && { body: JSON.stringify(body) }) });
      const text = await answer.body.text();
      if (answer.statusCode >= 300) throw new Error(`The product answered ${answer.statusCode}: ${text}`);
    });
    return count / seconds;
  } finally {
    await http.close();
  }
}

/** `message_id`s are their senders'. */
let lines = 0;

function nextLine() {
  lines += 1;
  const phone = `+1415555${1002 + (lines % 8000)}`;
  return { phone, event: 'Viewed', properties: { index: lines }, message_id: `b-${lines}` };
}

const measures: Readonly<Record<string, (side: Side) => Promise<number>>> = {
  'messages accepted and delivered, sandbox phone, 32 callers': async ({ url, database, projectId, authKey }) => {
    const count = 1_000;
    const startedAt = performance.now();
    await postMessages(url, authKey, count);
    await allDelivered(database, projectId);
    return count / ((performance.now() - startedAt) / 1000);
  },
  'POST /api/send-message, respond-async, 1 caller': async ({ url, database, projectId, authKey }) => {
    const count = 200;
    const { seconds } = await postMessages(url, authKey, count, 1);
    await allDelivered(database, projectId);
    return count / seconds;
  },
  'GET messages of a project, a page of 100, 4 callers': (side) =>
    rateOf(side, 100, 4, () => ({
      method: 'GET',
      path: `/api/projects/${side.projectId}/messages?page=1&pageSize=100`,
      authorization: side.token,
    })),
  [`events, batches of ${linesPerBatch}, 4 callers`]: (side) =>
    rateOf(side, 20, 4, () => ({
      method: 'POST',
      path: '/api/events/batch',
      authorization: side.apiKey,
      body: { events: Array.from({ length: linesPerBatch }, nextLine) },
    })),
  [`POST /api/segments/preview-count, ${profileCount.toLocaleString('en')} profiles, 4 callers`]: (side) =>
    rateOf(side, 40, 4, (index) => ({
      method: 'POST',
      path: '/api/segments/preview-count',
      authorization: side.token,
      body: { condition: { operator: 'not_equals', fieldPath: 'name', value: `x${index}` } },
    })),
};
