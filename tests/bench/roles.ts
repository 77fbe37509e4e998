import { setTimeout as delay } from 'node:timers/promises';
import type { Product } from '#tests/support/product.ts';
import { pgBouncer, spawnPgBouncer } from '#tests/support/spawn-pgbouncer.ts';
import type { Bench } from './bench.ts';
import { cpuTimeMs, processTimeMs } from './cpu-time.ts';
import { alone } from './figures.ts';
import type { Figure } from './figures.ts';
import { allDelivered, makeSender, postMessages } from './messages.ts';

const warmUp = 500;
const measured = 1_500;

type Cost = { product: number; database: number; transactions: number };

/** Work of the processes and the database so far; processor time in milliseconds. */
async function costSoFar({ database }: Bench, pids: readonly number[]): Promise<Cost> {
  // Each backend hands its counts over within a second of its last transaction.
  await delay(1_200);
  const { rows } = await database.query<{ n: string }>(
    'select xact_commit as n from pg_stat_database where datname = current_database()',
  );
  const own = await Promise.all(pids.map((pid) => processTimeMs(pid)));
  return {
    product: own.reduce((sum, ms) => sum + ms, 0),
    database: await cpuTimeMs(-1, database),
    transactions: Number(rows[0]?.n),
  };
}

type Way = { what: string; envs: readonly Record<string, string>[]; poolerPid?: number };

/** `callers` send at once, as fast as they are answered, to the first of the processes. */
async function measureWay(bench: Bench, { what, envs, poolerPid }: Way, callers: number): Promise<Figure> {
  await using started = new AsyncDisposableStack();
  const products: Product[] = [];
  for (const env of envs) products.push(started.use(await bench.start(env)));
  const url = products[0]?.url ?? '';
  const { projectId, authKey } = await makeSender(url);
  const pids = [...products.map(({ pid }) => pid), ...(poolerPid === undefined ? [] : [poolerPid])];
  const send = async (count: number) => {
    await postMessages(url, authKey, count, callers);
    await allDelivered(bench.database, projectId);
  };
  await send(warmUp);
  const before = await costSoFar(bench, pids);
  await send(measured);
  const after = await costSoFar(bench, pids);
  const each = (of: keyof Cost) => (after[of] - before[of]) / measured;
  return alone(
    `CPU of a message, ${what}, ${callers} caller${callers === 1 ? '' : 's'}`,
    `${(each('product') + each('database')).toFixed(2)} ms: processes ${each('product').toFixed(2)}, database ${each('database').toFixed(2)}; ${each('transactions').toFixed(1)} transactions`,
    '-',
  );
}

/**
 * The processor's time of a message, accepted to delivered, by how the product is divided into processes and by the way
 * to the database, PgBouncer's own included.
 */
export async function benchRoles(bench: Bench): Promise<Figure[]> {
  const divided = [{ ROLES: 'api' }, { ROLES: 'worker' }];
  const oneProcess: Way = { what: 'one process', envs: [{}] };
  const ways: Way[] = [oneProcess, { what: 'API and worker apart', envs: divided }];
  await using stack = new AsyncDisposableStack();
  if (pgBouncer !== undefined) {
    const pooler = await spawnPgBouncer(bench.tcpConnectionString);
    stack.defer(() => pooler.stop());
    const through = { DATABASE_URL: pooler.connectionString, DATABASE_DIRECT_URL: bench.connectionString };
    ways.push(
      ...ways.map(({ what, envs }) => ({
        what: `${what} through PgBouncer`,
        envs: envs.map((env) => ({ ...env, ...through })),
        poolerPid: pooler.pid(),
      })),
    );
  }
  // The first one pays for what is new to the database.
  await measureWay(bench, oneProcess, 8);
  const figures: Figure[] = [];
  for (const way of ways) {
    for (const callers of [1, 8]) figures.push(await measureWay(bench, way, callers));
  }
  return figures;
}
