import { compose } from '#server/compose.ts';
import { ConfigError, loadConfig } from '#server/config.ts';
import { systemClock } from '#server/platform/clock.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';
import { createLogger } from '#server/platform/logger.ts';
import { loadSecretKey } from '#server/platform/secret-key.ts';
import { rotateKeys } from '#server/rotate-keys.ts';

/** `npm run keys:rotate`: SECRET_KEY is the new key, SECRET_KEYS holds the old ones. The embedded database is started. */
async function main(): Promise<void> {
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  const { databaseUrl, dataDir } = config;
  const database =
    databaseUrl === undefined
      ? await startEmbeddedPostgres({ dataDir, logger, onLost: (error) => logger.error({ err: error }, 'lost') })
      : { connectionString: databaseUrl, stop: () => Promise.resolve() };
  try {
    const secretKey = config.secretKey ?? (await loadSecretKey(dataDir));
    const { connectionString } = database;
    const { ctx, close } = compose({ config, connectionString, secretKey, logger, clock: systemClock });
    try {
      const { accounts, projects, endpoints, answers, phoneSecrets } = await rotateKeys(ctx);
      process.stdout.write(
        `Encrypted anew: ${accounts} API keys, keys of ${projects} projects, secrets of ${endpoints} further webhook endpoints, ` +
          `${answers} kept answers, ${phoneSecrets} secrets of phones.\n`,
      );
    } finally {
      await close();
    }
  } finally {
    await database.stop();
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const text = error instanceof ConfigError ? error.message : error instanceof Error ? error.stack : String(error);
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
