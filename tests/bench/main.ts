import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { Pool as HttpPool } from 'undici';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { openBaseline } from './baselines.ts';
import type { Baseline } from './baselines.ts';
import { median, percentile, runWithCallers } from './measure.ts';
import { benchProfiles } from './profiles.ts';

const callers = 32;
const rounds = 5;
const messagesPerRound = 4_000;

type Figure = { what: string; product: string; baseline: string; ratio: string; atLeast: string };

const perSecond = (rate: number) => `${Math.round(rate)}/s`;
const ratioOf = (pairs: readonly Pair[]) => median(pairs.map(({ product, baseline }) => product / baseline)).toFixed(2);

const asDisposable = (http: HttpPool) => Object.assign(http, { [Symbol.asyncDispose]: () => http.close() });

/** Posts one round of messages without waiting for the network; answers the rate and every call's time. */
async function postMessages(url: string, authKey: string) {
  await using http = asDisposable(new HttpPool(url, { connections: callers }));
  return await runWithCallers(messagesPerRound, callers, async (index) => {
    const { statusCode, body } = await http.request({
      method: 'POST',
      path: '/api/send-message',
      headers: { 'content-type': 'application/json', 'x-auth-key': authKey, prefer: 'respond-async' },
      body: JSON.stringify({ to: `1415555${1002 + (index % 8000)}`, message: 'Hello from the benchmark' }),
    });
    const text = await body.text();
    if (statusCode !== 202) throw new Error(`The product answered ${statusCode}: ${text}`);
  });
}

/** Waits until every message of the project has been delivered. */
async function allDelivered(database: pg.Pool, projectId: number): Promise<void> {
  for (;;) {
    const { rows } = await database.query<{ waiting: number }>(
      `select count(*) as waiting from messages where project_id = $1 and delivered_at is null`,
      [projectId],
    );
    if (rows[0]?.waiting === 0) return;
    // Asking costs the database as well.
    await delay(25);
  }
}

type Pair = { product: number; baseline: number };
type Sender = { projectId: number; authKey: string };

async function makeSender(url: string): Promise<Sender> {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
  return { projectId: project.id, authKey: project.auth_key };
}

/** The two in turn, so that a change in the machine's speed meets both; the first pair warms up and is left out. */
async function measurePairs(measure: () => Promise<Pair>): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round <= rounds; round += 1) pairs.push(await measure());
  return pairs.slice(1);
}

function figure(what: string, pairs: readonly Pair[], atLeast: string, more = ''): Figure {
  return {
    what,
    product: perSecond(median(pairs.map(({ product }) => product))) + more,
    baseline: perSecond(median(pairs.map(({ baseline }) => baseline))),
    ratio: ratioOf(pairs),
    atLeast,
  };
}

/** Storing alone, as in the baseline: no worker sends what was accepted. */
async function benchAccepting(bench: Bench, sender: Sender): Promise<Figure> {
  await using product = await bench.start({ ROLES: 'api' });
  const p99s: number[] = [];
  const pairs = await measurePairs(async () => {
    const baseline = await bench.baseline.inserts(messagesPerRound);
    const { seconds, latenciesMs } = await postMessages(product.url, sender.authKey);
    p99s.push(percentile(latenciesMs, 0.99));
    return { product: messagesPerRound / seconds, baseline };
  });
  await bench.database.query('delete from messages where project_id = $1', [sender.projectId]);
  const what = `POST /api/send-message, respond-async, ${callers} connections`;
  return figure(what, pairs, '0.35, p99 50 ms', `, p99 ${median(p99s.slice(1)).toFixed(0)} ms`);
}

async function benchDelivering(bench: Bench, sender: Sender): Promise<Figure[]> {
  await using product = await bench.start({});
  const idleMiB = await product.memoryMiB();
  const pairs = await measurePairs(async () => {
    const baseline = await bench.baseline.messageSteps(messagesPerRound / 4);
    const started = performance.now();
    await postMessages(product.url, sender.authKey);
    await allDelivered(bench.database, sender.projectId);
    return { product: messagesPerRound / ((performance.now() - started) / 1000), baseline };
  });
  return [
    figure(`accepted to delivered, sandbox phone, ${callers} callers`, pairs, '0.5'),
    alone('memory of the process, idle', `${idleMiB.toFixed(0)} MiB`, 'at most 220 MiB'),
    alone('start to ready, database running', `${product.readyAfterMs.toFixed(0)} ms`, 'at most 2 s'),
  ];
}

const alone = (what: string, product: string, atLeast: string): Figure => ({
  what,
  product,
  baseline: '-',
  ratio: '-',
  atLeast,
});

type Bench = {
  database: pg.Pool;
  baseline: Baseline;
  start(env: Record<string, string>): Promise<Product & AsyncDisposable>;
};

async function withBench<T>(work: (bench: Bench) => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
  const { connectionString } = postgres;
  const shared = {
    DATABASE_URL: connectionString,
    DATA_DIR: dataDir,
    SECRET_KEY: randomBytes(32).toString('base64'),
  };
  const database = createPool({ connectionString, logger: createLogger('silent') });
  const baseline = await openBaseline(connectionString, callers);
  try {
    return await work({
      database,
      baseline,
      async start(env) {
        const product = await startProduct({ env: { ...shared, ...env } });
        return { ...product, [Symbol.asyncDispose]: async () => void (await product.stop()) };
      },
    });
  } finally {
    await baseline.close();
    await database.end();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function benchMessages(bench: Bench): Promise<Figure[]> {
  const senders = await (async () => {
    await using product = await bench.start({});
    return { accepting: await makeSender(product.url), delivering: await makeSender(product.url) };
  })();
  return [await benchAccepting(bench, senders.accepting), ...(await benchDelivering(bench, senders.delivering))];
}

// `npm run bench -- profiles` is the part that works on a million profiles, `-- messages` the other.
const part = process.argv[2];
if (part !== 'profiles') console.table(await withBench(benchMessages));
if (part !== 'messages') console.table(await benchProfiles());
