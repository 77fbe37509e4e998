import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startApplication } from '#server/application.ts';
import type { Application } from '#server/application.ts';
import { compose } from '#server/compose.ts';
import { ConfigError, encodedPassword, loadConfig } from '#server/config.ts';
import type { Config } from '#server/config.ts';
import type { ApplicationRole } from '#server/platform/db/application-role.ts';
import { collectGarbage } from '#server/platform/collect-garbage.ts';
import { followCell } from '#server/platform/db/citus/follow-cell.ts';
import type { FollowedCell } from '#server/platform/db/citus/follow-cell.ts';
import { EmbeddedPostgresError, startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { leadsToPooler } from '#server/platform/db/pooler.ts';
import { createLogger } from '#server/platform/logger.ts';
import type { Logger } from '#server/platform/logger.ts';
import { describeFileFault, isFileFault } from '#server/platform/file-faults.ts';
import { loadSecretKey, SecretKeyFileError } from '#server/platform/secret-key.ts';
import { requireOpenSecrets } from '#server/require-open-secrets.ts';

/** A drain that takes longer than this is cut off. */
const drainTimeoutMs = 12_000;

/** The longest that it may take to end altogether, the embedded database included. */
const stopTimeoutMs = 28_000;

const webDirectory = join(import.meta.dirname, '../dist/web');

type Database = {
  /** The application's, which need own nothing. */
  connectionString: string;
  /** The application's without a pooler between; undefined: `connectionString` has none. */
  directConnectionString?: string | undefined;
  /** The owner's, for migrations alone. */
  ownerConnectionString: string;
  /** The role that the owner is to admit; undefined: the owner is the application. */
  role: ApplicationRole | undefined;
  stop(): Promise<void>;
};

async function openDatabase(config: Config, logger: Logger, onLost: (error: Error) => void): Promise<Database> {
  const { databaseUrl, directDatabaseUrl, migrationDatabaseUrl } = config;
  if (databaseUrl === undefined) {
    const embedded = await startEmbeddedPostgres({ dataDir: config.dataDir, logger, onLost });
    return { ...embedded, ...embedded.application, ownerConnectionString: embedded.connectionString };
  }
  const isPooler = await reachDatabase('DATABASE_URL', databaseUrl);
  if (migrationDatabaseUrl !== undefined && (await reachDatabase('MIGRATION_DATABASE_URL', migrationDatabaseUrl))) {
    throw new ConfigError('MIGRATION_DATABASE_URL', 'the address of PostgreSQL itself, not of a pooler');
  }
  if (directDatabaseUrl === undefined ? isPooler : await reachDatabase('DATABASE_DIRECT_URL', directDatabaseUrl)) {
    throw new ConfigError('DATABASE_DIRECT_URL', 'the address of PostgreSQL itself, beside that of a pooler');
  }
  return {
    connectionString: databaseUrl,
    directConnectionString: directDatabaseUrl,
    ownerConnectionString: migrationDatabaseUrl ?? directDatabaseUrl ?? databaseUrl,
    role: migrationDatabaseUrl === undefined ? undefined : { name: decodeURIComponent(new URL(databaseUrl).username) },
    stop: () => Promise.resolve(),
  };
}

/** Answers whether a pooler is there. A server that cannot be reached, or that refuses the login, is a wrong setting. */
async function reachDatabase(setting: string, connectionString: string): Promise<boolean> {
  try {
    return await leadsToPooler(connectionString);
  } catch (error) {
    const reason = error instanceof Error ? error.message || error.name : String(error);
    const hint = /ENOTFOUND|password/.test(reason) ? `; ${encodedPassword}` : '';
    throw new ConfigError(setting, `a PostgreSQL database that lets this process in (${reason})${hint}`);
  }
}

/** Resolves with the first signal that asks the process to end. */
function nextSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => resolve(signal));
  });
}

async function checkSecretKey(parts: Parameters<typeof compose>[0]): Promise<void> {
  const { ctx, close } = compose(parts);
  try {
    await requireOpenSecrets(ctx);
  } finally {
    await close();
  }
}

/** Runs the product until it is asked to end; rejects where it cannot start, or its database is lost. */
export async function serve(): Promise<void> {
  const stopSignal = nextSignal();
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  // A promise that nobody waits for ends none of the work that others wait for.
  process.on('unhandledRejection', (fault) => logger.error({ err: fault }, 'a failure was handled by nobody'));
  const lost = Promise.withResolvers<never>();
  const database = await openDatabase(config, logger, lost.reject);
  // Handled below, once there is something to stop.
  lost.promise.catch(() => undefined);
  let cell: FollowedCell | undefined;
  try {
    await prepareDatabase(database.ownerConnectionString, {
      logger,
      role: database.role,
      schema: config.databaseSchema,
    });
    const secretKey = config.secretKey ?? (await loadSecretKey(config.dataDir));
    const { connectionString, directConnectionString } = database;
    cell = await followCell({
      connectionString: directConnectionString ?? connectionString,
      schema: config.databaseSchema,
      logger,
    });
    const addresses = cell ?? { connectionString, directConnectionString };
    const parts = { config, ...addresses, secretKey, logger };
    await checkSecretKey(parts);
    const application = await startApplication({ ...parts, webDirectory });
    // A start leaves 70 MiB of it, which a process that idles would keep.
    collectGarbage();
    logger.info({ listening: application.url, roles: [...config.roles] }, `Dovepost is ready at ${config.publicUrl}`);
    const signal = await Promise.race([stopSignal, lost.promise]);
    logger.info({ signal }, 'stopping');
    setTimeout(() => {
      logger.error('the database took too long to stop');
      process.exit(1);
    }, config.lameDuckMs + stopTimeoutMs).unref();
    await drain(application, logger);
  } finally {
    cell?.stop();
    await database.stop();
  }
  logger.info('stopped');
}

/**
 * Stops the application. Work that cannot be finished or handed back in time, because the database is away or a service
 * fails, is left as after a crash, and the next process recovers it: nothing is lost.
 */
async function drain(application: Application, logger: Logger): Promise<void> {
  try {
    // A timer keeps the process alive: the drain may wait for something that the event loop does not wait for.
    const limit = delay(application.ctx.config.lameDuckMs + drainTimeoutMs).then(() => {
      throw new Error('the drain took too long');
    });
    await Promise.race([application.stop(), limit]);
  } catch (fault) {
    logger.error({ err: fault }, 'not everything was finished');
  }
}

/** Errors that the operator can mend are described in one line; any other comes with its stack. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ([ConfigError, EmbeddedPostgresError, SecretKeyFileError].some((kind) => error instanceof kind))
    return error.message;
  if (isFileFault(error)) return describeFileFault(error);
  const isListening = 'syscall' in error && error.syscall === 'listen';
  return isListening
    ? `PORT and HOST: expected an address to listen at (${error.message})`
    : (error.stack ?? error.message);
}
