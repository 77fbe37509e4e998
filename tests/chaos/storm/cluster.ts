import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type pg from 'pg';
import { admitApplication } from '#server/platform/db/application-role.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { migrateDatabase } from '#server/migrate-database.ts';
import { createPool } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { databaseProcesses } from '#tests/support/embedded-processes.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { startRelay } from '#tests/support/relay.ts';
import type { Relay } from '#tests/support/relay.ts';
import type { CleanUp } from '../chaos-scene.ts';

/** A process of the product, with its own way to the database. */
export type Worker = {
  name: string;
  product: Product;
  relay: Relay;
  /** The name under which it holds leases. */
  owner(): Promise<string>;
  /** Grows with each disturbance; what fails meanwhile is the disturbance's fault. */
  disturbances: number;
  isDisturbed: boolean;
  /** Of the requests that are made now: aborts once a disturbance has lasted so long that callers try another process. */
  givenUp(): AbortSignal;
  giveUp(): void;
  start(env?: Record<string, string>): Promise<void>;
};

export type Cluster = {
  workers: readonly Worker[];
  dataDir: string;
  pool: pg.Pool;
  /** As the owner of the database; repeated while the database is away. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  signalDatabase(signal: NodeJS.Signals, which: 'postmaster' | 'all'): Promise<void>;
};

/** A crash of PostgreSQL alone keeps what was written; only a crash of the machine needs the disk. */
const settings = { fsync: 'off', max_connections: '300' };

export async function startCluster(options: {
  whatsAppUrl: string;
  workers: number;
  cleanUp: CleanUp;
}): Promise<Cluster> {
  const { whatsAppUrl, cleanUp } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'dovepost-storm-'));
  cleanUp.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
  const database = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent'), settings });
  cleanUp.push(() => database.stop());
  await migrateDatabase(database.connectionString);
  await admitApplication(database.connectionString, database.application.role);
  const secretKey = randomBytes(32).toString('base64');

  async function startWorker(index: number): Promise<Worker> {
    const name = `worker ${index + 1}`;
    const relay = await startRelay(database.application.connectionString);
    const env = { DATA_DIR: join(dataDir, name), DATABASE_URL: relay.connectionString, SECRET_KEY: secretKey };
    const start = (extra = {}) => startProduct({ env: { ...env, ...extra }, whatsAppUrl });
    let patience = new AbortController();
    const worker: Worker = {
      name,
      relay,
      owner: () => readFile(join(env.DATA_DIR, 'worker-id'), 'utf8'),
      product: await start(),
      disturbances: 0,
      isDisturbed: false,
      givenUp: () => patience.signal,
      giveUp() {
        patience.abort(new Error('it said nothing'));
        patience = new AbortController();
      },
      async start(extra) {
        worker.product = await start(extra);
      },
    };
    cleanUp.push(async () => {
      if (worker.product.hasExited()) return;
      process.kill(worker.product.pid, 'SIGCONT');
      await worker.product.stop();
    });
    return worker;
  }

  const pool = createPool({ connectionString: database.connectionString, logger: createLogger('silent') });
  cleanUp.push(() => pool.end());
  const workers = await Promise.all(Array.from({ length: options.workers }, (_, index) => startWorker(index)));
  return {
    workers,
    dataDir,
    pool,
    query: async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      (await persist(() => pool.query<Row>(sql, values))).rows,
    async signalDatabase(signal, which) {
      const pids = await databaseProcesses(dataDir);
      for (const pid of which === 'all' ? pids : pids.slice(0, 1)) sendSignal(pid, signal);
    },
  };
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // A backend that ended by itself meanwhile.
  }
}

/** Repeats what fails while the database is away. */
async function persist<T>(action: () => Promise<T>): Promise<T> {
  const results: T[] = [];
  const attempt = async () => results.push(await action());
  await expect.poll(attempt, { timeout: 60_000, interval: 100 }).toBe(1);
  return results[0] as T;
}

/** How long callers wait for a process that says nothing. */
const patienceMs = 2_000;

/** Whatever it does to the worker counts as a disturbance until it is done. */
export async function disturb<T>(worker: Worker, action: () => Promise<T>): Promise<T> {
  worker.disturbances += 1;
  worker.isDisturbed = true;
  const givingUp = setTimeout(() => worker.giveUp(), patienceMs);
  const result = await action();
  await untilReady(worker);
  clearTimeout(givingUp);
  worker.disturbances += 1;
  worker.isDisturbed = false;
  return result;
}

export async function untilReady({ name, product }: Worker): Promise<void> {
  const readiness = async () => {
    const signal = AbortSignal.timeout(5_000);
    const answer = await fetch(`${product.url}/readyz`, { signal }).catch((error: unknown) => String(error));
    return typeof answer === 'string' ? answer : `${answer.status} ${await answer.text()}`;
  };
  await expect.poll(readiness, { timeout: 90_000, interval: 100, message: name }).toMatch(/^200 /);
}

/** All of them answer that they can work. */
export async function untilAllReady({ workers }: Cluster): Promise<void> {
  await Promise.all(workers.map(untilReady));
}
