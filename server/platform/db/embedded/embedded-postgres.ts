import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { Logger } from '#server/platform/logger.ts';
import type { ApplicationRole } from '../application-role.ts';
import { pauseAfter, spread } from '#server/platform/backoff.ts';
import { findBinaries } from './binaries.ts';
import { clusterHome, openCluster, removeDrafts } from './cluster.ts';
import type { Cluster } from './cluster.ts';
import { DataDirInUseError, EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { connect, connectionString } from './owner.ts';
import { findPostmaster } from './postmaster.ts';
import type { Settings } from './postmaster.ts';
import { acquire, shutDown } from './running.ts';
import type { Setup } from './running.ts';
import { findServiceUser } from './service-user.ts';
import { bySocket, socketSettings } from './socket.ts';

export { DataDirInUseError, EmbeddedPostgresError } from './embedded-postgres-error.ts';

const database = 'dovepost';

const retryGrowth = { firstMs: 250, longestMs: 10_000 };

export type EmbeddedPostgresOptions = {
  /** An absolute path; made when it is not there. */
  dataDir: string;
  logger: Logger;
  /** PostgreSQL settings over our own. */
  settings?: Settings;
  /** The database went away, and another server has taken the data directory since: this one cannot go on. */
  onLost?: (error: Error) => void;
};

export type EmbeddedPostgres = {
  /** The owner's, a superuser. Stays the same while the database is brought back after a crash of its own. */
  connectionString: string;
  /** The credentials of `role`, once it has been admitted, by a Unix socket where the system has them. */
  application: { connectionString: string; role: Required<ApplicationRole> };
  /** Closes every connection and waits until all is on disk. May be called twice. */
  stop(): Promise<void>;
};

/**
 * PostgreSQL in `dataDir`, on a loopback port and a Unix socket of its own, in a session of its own. A database that a killed server left
 * running is taken over. Throws `DataDirInUseError` while another server uses `dataDir`, else `EmbeddedPostgresError`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, logger } = options;
  const user = await findServiceUser(clusterHome(dataDir));
  const binaries = await findBinaries(user);
  const cluster = await openCluster(dataDir, binaries, user);
  const settings = { ...(await socketSettings(cluster)), ...options.settings };
  const setup: Setup = { cluster, binaries, user, settings };

  let running = await acquire(setup);
  try {
    await removeDrafts(dataDir);
    await ensureDatabase(running.client);
  } catch (error) {
    await shutDown(cluster, running);
    throw error;
  }
  logger.info({ port: running.port, adopted: running.child === undefined }, 'embedded PostgreSQL is up');

  const { port } = running;
  const ending = new AbortController();
  const reportLost = options.onLost ?? ((error) => logger.fatal({ err: error }, 'embedded PostgreSQL is lost'));
  let stopping: Promise<void> | undefined;
  let recovering: Promise<void> | undefined;
  watch();

  function watch(): void {
    running.client.once('end', () => {
      if (!stopping) recovering = recover();
    });
  }

  /** Tries for as long as the server runs: a full disk or a taken port may be mended meanwhile. */
  async function recover(): Promise<void> {
    logger.error('embedded PostgreSQL went away, bringing it back');
    for (let attempt = 0; !ending.signal.aborted; attempt += 1) {
      try {
        if (!(await bringBack())) continue;
        watch();
        logger.info({ attempt }, 'embedded PostgreSQL is back');
        return;
      } catch (error) {
        if (ending.signal.aborted) return;
        if (error instanceof DataDirInUseError) return reportLost(error);
        logger.error({ err: error, attempt }, 'embedded PostgreSQL is not back yet');
        await delay(spread(pauseAfter(attempt + 1, retryGrowth)), undefined, { signal: ending.signal }).catch(
          () => undefined,
        );
      }
    }
  }

  /** False when it was on another port, where nobody looks for it; it is down again then. */
  async function bringBack(): Promise<boolean> {
    running = await acquire(setup, { port, signal: ending.signal });
    if (running.port === port) return true;
    await shutDown(cluster, running);
    return false;
  }

  async function stop(): Promise<void> {
    ending.abort();
    await recovering;
    await shutDown(cluster, running);
    logger.info('embedded PostgreSQL is down');
  }

  const owner = connectionString(cluster, port, database);
  const role = applicationRole(cluster);
  const application = await bySocket(withRole(owner, role), cluster, port);
  return {
    connectionString: owner,
    application: { connectionString: application, role },
    stop: () => (stopping ??= stop()),
  };
}

/**
 * The owner's way to the database that another server runs in `dataDir`, for work beside it that takes a moment. Throws
 * `EmbeddedPostgresError` where none runs.
 */
export async function joinEmbeddedPostgres(dataDir: string): Promise<string> {
  const user = await findServiceUser(clusterHome(dataDir));
  const cluster = await openCluster(dataDir, await findBinaries(user), user);
  const port = (await findPostmaster(cluster))?.port;
  if (!port) throw new EmbeddedPostgresError(`DATA_DIR: no server runs the database in ${dataDir}`);
  const client = await connect(cluster, port);
  await client.end();
  return connectionString(cluster, port, database);
}

/** The password is derived from the owner's, which cannot be computed back from it. */
function applicationRole({ password }: Cluster): Required<ApplicationRole> {
  return {
    name: 'dovepost_application',
    password: createHmac('sha256', password).update('dovepost_application').digest('base64url'),
  };
}

function withRole(connection: string, { name, password }: Required<ApplicationRole>): string {
  const url = new URL(connection);
  url.username = name;
  url.password = password;
  return url.href;
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (rowCount === 0) await client.query(`create database ${database}`);
}
