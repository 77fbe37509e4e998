import type pg from 'pg';
import type { Logger } from '#server/platform/logger.ts';
import { findBinaries } from './binaries.ts';
import { clusterHome, openCluster, removeDrafts } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import { connectionString } from './owner.ts';
import type { Settings } from './postmaster.ts';
import { acquire, shutDown } from './running.ts';
import type { Setup } from './running.ts';
import { findServiceUser } from './service-user.ts';

export { EmbeddedPostgresError } from './embedded-postgres-error.ts';

const database = 'dovepost';

export type EmbeddedPostgresOptions = {
  /** An absolute path; made when it is not there. */
  dataDir: string;
  logger: Logger;
  /** PostgreSQL settings over our own. */
  settings?: Settings;
  /** The database went away and could not be brought back: the server cannot go on. */
  onLost?: (error: Error) => void;
};

export type EmbeddedPostgres = {
  /** Stays the same while the database is brought back after a crash of its own. */
  connectionString: string;
  /** Closes every connection and waits until all is on disk. May be called twice. */
  stop(): Promise<void>;
};

/**
 * PostgreSQL in `dataDir`, on a loopback port of its own, in a session of its own. A database that a killed server left
 * running is taken over. Throws `DataDirInUseError` while another server uses `dataDir`, else `EmbeddedPostgresError`.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, logger } = options;
  const user = await findServiceUser(clusterHome(dataDir));
  const binaries = await findBinaries(user);
  const cluster = await openCluster(dataDir, binaries, user);
  const setup: Setup = { cluster, binaries, user, settings: options.settings ?? {} };

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
  const reportLost = options.onLost ?? ((error) => logger.fatal({ err: error }, 'embedded PostgreSQL is lost'));
  let stopping: Promise<void> | undefined;
  let recovering: Promise<void> | undefined;
  watch();

  function watch(): void {
    running.client.once('end', () => {
      if (!stopping) recovering = recover();
    });
  }

  async function recover(): Promise<void> {
    logger.error('embedded PostgreSQL went away, bringing it back');
    try {
      running = await acquire(setup, port);
      if (running.port !== port) throw new EmbeddedPostgresError('DATA_DIR: PostgreSQL came back on another port');
      watch();
      logger.info('embedded PostgreSQL is back');
    } catch (error) {
      reportLost(error as Error);
    }
  }

  async function stop(): Promise<void> {
    await recovering;
    await shutDown(cluster, running);
    logger.info('embedded PostgreSQL is down');
  }

  return {
    connectionString: connectionString(cluster, port, database),
    stop: () => (stopping ??= stop()),
  };
}

async function ensureDatabase(client: pg.Client): Promise<void> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [database]);
  if (rowCount === 0) await client.query(`create database ${database}`);
}
