import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type pg from 'pg';
import { createPool } from '#server/platform/db/pool.ts';
import { createLogger } from '#server/platform/logger.ts';
import { runPgBouncer } from '#tests/support/pgbouncer.ts';
import { startProduct } from '#tests/support/product.ts';
import type { Product } from '#tests/support/product.ts';
import { startRelay } from '#tests/support/relay.ts';
import type { Relay } from '#tests/support/relay.ts';
import type { CleanUp } from '../chaos-scene.ts';
import { openLossyNetwork } from './lossy-network.ts';
import type { LossyNetwork } from './lossy-network.ts';
import { openCitusDatabase } from './citus-database.ts';
import { startReplicatedDatabase } from './replicated-database.ts';
import type { ReplicatedDatabase } from './replicated-database.ts';
import { fillDisk, smallDisks } from './small-disks.ts';
import type { StormDatabase } from './storm-database.ts';

/** A process of the product, with its own ways to the database and to WhatsApp. */
export type Worker = {
  name: string;
  product: Product;
  toDatabase: Gates;
  toWhatsApp: Gates;
  /** Of its relays and itself, where packets can be lost. */
  address: string | undefined;
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

/** Ways that are shut together. */
export type Gates = Pick<Relay, 'fallSilent' | 'recover' | 'cut'>;

export type Cluster = {
  workers: readonly Worker[];
  pool: pg.Pool;
  /** As the owner of the database; repeated while the database is away. */
  query<Row extends pg.QueryResultRow>(sql: string, values?: unknown[]): Promise<Row[]>;
  signalDatabase: StormDatabase['signal'];
  connections: StormDatabase['connections'];
  /** The primary is lost; all connections lead to its standby, which has become the primary. Undefined: there is no standby. */
  failOver: (() => Promise<void>) | undefined;
  /** To another node of Citus. Undefined where the database is a server of its own, to which each worker has its own way. */
  moveCell: (() => Promise<void>) | undefined;
  /** Undefined where connections do not lead through PgBouncer. */
  restartPooler: (() => Promise<void>) | undefined;
  /** Undefined where packets cannot be lost. */
  network: LossyNetwork | undefined;
  /** Leaves the primary no room until the answered function is called; undefined where it has no disk of its own. */
  fillDisk: (() => Promise<() => Promise<void>>) | undefined;
};

export async function startCluster(options: {
  whatsAppUrl: string;
  workers: number;
  /** Settings of all processes. */
  env: Record<string, string>;
  hasStandby: boolean;
  hasPooler: boolean;
  /** The coordinator of a Citus that is to have the database. */
  citusUrl: string | undefined;
  cleanUp: CleanUp;
}): Promise<Cluster> {
  const { whatsAppUrl, hasStandby, hasPooler, citusUrl, cleanUp } = options;
  async function makeDirectory(parent: string): Promise<string> {
    const made = await mkdtemp(join(parent, 'dovepost-storm-'));
    cleanUp.push(() => rm(made, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }));
    return made;
  }
  const directory = await makeDirectory(tmpdir());
  const citus = citusUrl === undefined ? undefined : await openCitusDatabase(citusUrl);
  const replicated = citus
    ? undefined
    : await startReplicatedDatabase(
        smallDisks.length > 0 ? await Promise.all(smallDisks.map(makeDirectory)) : [directory],
      );
  const database = (citus ?? replicated) as StormDatabase;
  cleanUp.push(() => database.stop());
  const secretKey = randomBytes(32).toString('base64');

  const owners = await startRelay(database.owner());
  /** Lead to the primary, whichever that is. */
  const toPrimary: Relay[] = [];
  async function relayToPrimary(address?: string): Promise<Relay> {
    const relay = await startRelay(database.application(), address);
    toPrimary.push(relay);
    return relay;
  }
  const pooler = hasPooler ? await runPgBouncer((await relayToPrimary()).connectionString) : undefined;

  const network = replicated && (await openLossyNetwork(options.workers));

  async function startWorker(index: number): Promise<Worker> {
    const name = `worker ${index + 1}`;
    const address = network?.addressOf(index);
    const direct = await relayToPrimary(address);
    const pooled = pooler && (await startRelay(pooler.connectionString, address));
    const toWhatsApp = await startRelay(whatsAppUrl, address);
    const env = {
      ...options.env,
      ...database.env,
      DATA_DIR: join(directory, name),
      ...(address !== undefined && { HOST: address }),
      DATABASE_URL: (pooled ?? direct).connectionString,
      ...(pooled && { DATABASE_DIRECT_URL: direct.connectionString }),
      SECRET_KEY: secretKey,
    };
    const start = (extra = {}) => startProduct({ env: { ...env, ...extra }, whatsAppUrl: toWhatsApp.connectionString });
    let patience = new AbortController();
    const worker: Worker = {
      name,
      toDatabase: together(pooled ? [direct, pooled] : [direct]),
      toWhatsApp,
      address,
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

  async function failOver(lost: ReplicatedDatabase): Promise<void> {
    for (const relay of [owners, ...toPrimary]) relay.goAway();
    await lost.promote();
    owners.leadTo(lost.owner());
    for (const relay of toPrimary) relay.leadTo(lost.application());
    for (const relay of [owners, ...toPrimary]) relay.recover();
    await lost.addStandby();
  }

  const pool = createPool({ connectionString: owners.connectionString, logger: createLogger('silent') });
  cleanUp.push(() => pool.end());
  const workers = await Promise.all(Array.from({ length: options.workers }, (_, index) => startWorker(index)));
  if (hasStandby) await replicated?.addStandby();
  return {
    workers,
    pool,
    query: async <Row extends pg.QueryResultRow>(sql: string, values?: unknown[]) =>
      (await persist(() => pool.query<Row>(sql, values))).rows,
    signalDatabase: database.signal,
    connections: database.connections,
    failOver: replicated && hasStandby ? () => failOver(replicated) : undefined,
    moveCell: citus?.move,
    restartPooler: pooler?.restart,
    network,
    fillDisk: replicated && smallDisks.length > 0 ? () => fillDisk(replicated.primaryDirectory()) : undefined,
  };
}

const together = (relays: readonly Relay[]): Gates => ({
  fallSilent: () => relays.forEach((relay) => relay.fallSilent()),
  recover: () => relays.forEach((relay) => relay.recover()),
  cut: () => relays.forEach((relay) => relay.cut()),
});

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
