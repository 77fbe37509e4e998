import { followCell } from '#server/platform/db/citus/follow-cell.ts';
import { compose } from '#server/compose.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import {
  DataDirInUseError,
  joinEmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/db/embedded/embedded-postgres.ts';
import type { ApplicationRole } from '#server/platform/db/application-role.ts';
import type { Logger } from '#server/platform/logger.ts';
import { loadSecretKey } from '#server/platform/secret-key.ts';

export type OpenDatabase = {
  /** The owner's where it is known, else the application's. */
  connectionString: string;
  directConnectionString?: string | undefined;
  /** The owner's without a pooler between, for migrations. */
  ownerConnectionString: string;
  /** Whom the owner admits; undefined: the owner is the application. */
  role: ApplicationRole | undefined;
  stop(): Promise<void>;
};

const stayUp = () => Promise.resolve();

/** The database of the product, beside it or without it: the embedded one is started where no server runs it. */
export async function openDatabase(config: Config, logger: Logger): Promise<OpenDatabase> {
  const { databaseUrl, directDatabaseUrl, migrationDatabaseUrl, dataDir } = config;
  if (databaseUrl !== undefined) {
    return {
      connectionString: databaseUrl,
      directConnectionString: directDatabaseUrl,
      ownerConnectionString: migrationDatabaseUrl ?? directDatabaseUrl ?? databaseUrl,
      role:
        migrationDatabaseUrl === undefined ? undefined : { name: decodeURIComponent(new URL(databaseUrl).username) },
      stop: stayUp,
    };
  }
  try {
    const onLost = (error: Error) => logger.error({ err: error }, 'lost');
    const embedded = await startEmbeddedPostgres({ dataDir, logger, onLost });
    const { connectionString, application, stop } = embedded;
    return { connectionString, ownerConnectionString: connectionString, role: application.role, stop };
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error;
    const connectionString = await joinEmbeddedPostgres(dataDir);
    return { connectionString, ownerConnectionString: connectionString, role: undefined, stop: stayUp };
  }
}

/** Runs `work` with the product's context over its database; nothing runs in the background. */
export async function withProduct<Result>(
  config: Config,
  logger: Logger,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(config, logger);
  try {
    return await withContext(database, { config, logger }, work);
  } finally {
    await database.stop();
  }
}

/** The same over a database that is open, or, where `isMaybeAway`, that may answer nothing. */
export async function withContext<Result>(
  { connectionString, directConnectionString }: OpenDatabase,
  { config, logger, isMaybeAway = false }: { config: Config; logger: Logger; isMaybeAway?: boolean },
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> {
  const secretKey = config.secretKey ?? (await loadSecretKey(config.dataDir));
  const cell = await followCell({
    connectionString: directConnectionString ?? connectionString,
    schema: config.databaseSchema,
    logger,
  }).catch((error: unknown) => {
    if (isMaybeAway) return undefined;
    throw error;
  });
  const { ctx, readTime, close } = compose({
    config,
    ...(cell ?? { connectionString, directConnectionString }),
    secretKey,
    logger,
  });
  try {
    if (!isMaybeAway) await readTime();
    return await work(ctx);
  } finally {
    await close();
    cell?.stop();
  }
}
