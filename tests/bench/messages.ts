import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Pool as HttpPool } from 'undici';
import { connectSandboxPhone, makeProject, signUpSubscriber } from '#tests/support/customer.ts';
import { openBaseline, startServer } from './baselines.ts';
import type { Baseline } from './baselines.ts';
import type { Bench } from './bench.ts';
import { alone, figure, measurePairs } from './figures.ts';
import type { Figure, Pair } from './figures.ts';
import { median, percentile, runWithCallers } from './measure.ts';

const callers = 32;
const rounds = 5;
const messagesPerRound = 4_000;

const asDisposable = (http: HttpPool) => Object.assign(http, { [Symbol.asyncDispose]: () => http.close() });

/** Posts one round of messages without waiting for the network; answers the rate and every call's time. */
export async function postMessages(url: string, authKey: string, count = messagesPerRound, connections = callers) {
  await using http = asDisposable(new HttpPool(url, { connections }));
  return await runWithCallers(count, connections, async (index) => {
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
export async function allDelivered(database: pg.Pool, projectId: number): Promise<void> {
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

type Sender = { projectId: number; authKey: string };

export async function makeSender(url: string): Promise<Sender> {
  const customer = await signUpSubscriber(url);
  const project = await makeProject(customer);
  await connectSandboxPhone(customer, project.id, { max_daily_messages: 1_000_000 });
  return { projectId: project.id, authKey: project.auth_key };
}

/** Storing alone, as in the baseline: no worker sends what was accepted. */
async function benchAccepting(bench: Bench, baseline: Baseline, sender: Sender): Promise<Figure[]> {
  await using product = await bench.start({ ROLES: 'api' });
  await using plain = await startServer(new URL('./plain-server.ts', import.meta.url), [bench.connectionString]);
  const p99s: number[] = [];
  const besidePlain: Pair[] = [];
  const pairs = await measurePairs(rounds, async () => {
    const inserts = await baseline.inserts(messagesPerRound);
    const { seconds, latenciesMs } = await postMessages(product.url, sender.authKey);
    p99s.push(percentile(latenciesMs, 0.99));
    const byHttp = await postMessages(plain.url, sender.authKey);
    besidePlain.push({ product: messagesPerRound / seconds, baseline: messagesPerRound / byHttp.seconds });
    return { product: messagesPerRound / seconds, baseline: inserts };
  });
  await bench.database.query('delete from messages where project_id = $1', [sender.projectId]);
  const what = `POST /api/send-message, respond-async, ${callers} connections`;
  return [
    figure(what, pairs, '0.35, p99 50 ms', `, p99 ${median(p99s.slice(1)).toFixed(0)} ms`),
    figure('the same beside a plain server over HTTP with one insert', besidePlain.slice(1), '-'),
  ];
}

async function benchDelivering(bench: Bench, baseline: Baseline, sender: Sender): Promise<Figure[]> {
  await using product = await bench.start({});
  const idleMiB = await product.memoryMiB();
  const pairs = await measurePairs(rounds, async () => {
    const steps = await baseline.messageSteps(messagesPerRound / 4);
    const started = performance.now();
    await postMessages(product.url, sender.authKey);
    await allDelivered(bench.database, sender.projectId);
    return { product: messagesPerRound / ((performance.now() - started) / 1000), baseline: steps };
  });
  return [
    figure(`accepted to delivered, sandbox phone, ${callers} callers`, pairs, '0.5'),
    alone('memory of the process, idle', `${idleMiB.toFixed(0)} MiB`, 'at most 200 MiB'),
    alone('start to ready, database running', `${product.readyAfterMs.toFixed(0)} ms`, 'at most 2 s'),
  ];
}

export async function benchMessages(bench: Bench): Promise<Figure[]> {
  const baseline = await openBaseline(bench.connectionString, callers);
  try {
    const senders = await (async () => {
      await using product = await bench.start({});
      return { accepting: await makeSender(product.url), delivering: await makeSender(product.url) };
    })();
    const accepting = await benchAccepting(bench, baseline, senders.accepting);
    return [...accepting, ...(await benchDelivering(bench, baseline, senders.delivering))];
  } finally {
    await baseline.close();
  }
}
