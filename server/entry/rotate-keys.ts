import { compose } from '#server/compose.ts';
import { ConfigError, loadConfig } from '#server/config.ts';
import type { Config } from '#server/config.ts';
import { systemClock } from '#server/platform/clock.ts';
import {
  DataDirInUseError,
  EmbeddedPostgresError,
  joinEmbeddedPostgres,
  startEmbeddedPostgres,
} from '#server/platform/db/embedded/embedded-postgres.ts';
import { createLogger } from '#server/platform/logger.ts';
import type { Logger } from '#server/platform/logger.ts';
import { loadSecretKey } from '#server/platform/secret-key.ts';
import { requireOpenSecrets } from '#server/require-open-secrets.ts';
import { rotateKeys } from '#server/rotate-keys.ts';

type Database = { connectionString: string; directConnectionString?: string | undefined; stop(): Promise<void> };

const stayUp = () => Promise.resolve();

/** The embedded database is started where no server runs it. */
async function openDatabase({ databaseUrl, directDatabaseUrl, dataDir }: Config, logger: Logger): Promise<Database> {
  if (databaseUrl !== undefined) {
    return { connectionString: databaseUrl, directConnectionString: directDatabaseUrl, stop: stayUp };
  }
  try {
    return await startEmbeddedPostgres({ dataDir, logger, onLost: (error) => logger.error({ err: error }, 'lost') });
  } catch (error) {
    if (!(error instanceof DataDirInUseError)) throw error;
    return { connectionString: await joinEmbeddedPostgres(dataDir), stop: stayUp };
  }
}

/** `npm run keys:rotate`: SECRET_KEY is the new key, SECRET_KEYS holds the old ones. Answers the exit code. */
async function main(): Promise<number> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  const database = await openDatabase(config, logger);
  try {
    const secretKey = config.secretKey ?? (await loadSecretKey(config.dataDir));
    const { connectionString, directConnectionString } = database;
    const parts = { config, connectionString, directConnectionString, secretKey, logger, clock: systemClock };
    const { ctx, close } = compose(parts);
    try {
      await requireOpenSecrets(ctx);
      const { accounts, projects, endpoints, answers, phoneSecrets, unopened } = await rotateKeys(ctx);
      process.stdout.write(
        `Encrypted anew: ${accounts} API keys, keys of ${projects} projects, secrets of ${endpoints} further webhook endpoints, ` +
          `${answers} kept answers, ${phoneSecrets} secrets of phones.\n`,
      );
      if (unopened === 0) return 0;
      process.stderr.write(`Left as they are: ${unopened} secrets that no key at hand opens. The log names them.\n`);
      return 1;
    } finally {
      await close();
    }
  } finally {
    await database.stop();
  }
}

try {
  process.exit(await main());
} catch (error) {
  const isKnown = error instanceof ConfigError || error instanceof EmbeddedPostgresError;
  const text = isKnown ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
