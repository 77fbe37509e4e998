/**
 * A process that owns an embedded database until it is told to stop, for tests that kill it.
 * `node embedded-owner.ts DATA_DIR` prints one line of JSON, `{ "connectionString" }` or `{ "error" }`.
 */
import { createLogger } from '#server/platform/logger.ts';
import { startEmbeddedPostgres } from '#server/platform/db/embedded/embedded-postgres.ts';

const [dataDir = ''] = process.argv.slice(2);
try {
  const database = await startEmbeddedPostgres({ dataDir, logger: createLogger('silent') });
  process.once('SIGTERM', () => void database.stop().then(() => process.exit(0)));
  console.log(JSON.stringify({ connectionString: database.connectionString }));
} catch (error) {
  console.log(JSON.stringify({ error: String(error) }));
}
