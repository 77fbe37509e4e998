import { resolve } from 'node:path';
import { openDatabase } from '#server/admin/open-product.ts';
import { describeFault, UsageError } from '#server/admin/run-command.ts';
import { loadConfig } from '#server/config.ts';
import { writeBackup } from '#server/platform/db/backup/write-backup.ts';
import { atHome } from '#server/platform/db/citus/find-place.ts';
import { inSchema } from '#server/platform/db/schema.ts';
import { createLogger } from '#server/platform/logger.ts';

/** `npm run backup -- DIRECTORY`: all tables as they are at one moment, beside the running product. */
async function main(directory: string | undefined): Promise<void> {
  if (directory === undefined) throw new UsageError('Usage: npm run backup -- DIRECTORY (a new one)');
  const config = loadConfig();
  const database = await openDatabase(config, createLogger('error'));
  try {
    const { databaseSchema: schema } = config;
    // The coordinator of Citus has no snapshot of what its workers hold.
    const home = await atHome(database.ownerConnectionString, schema);
    const { tables } = await writeBackup(inSchema(home, schema), resolve(directory));
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    const files = config.s3 ? `the bucket ${config.s3.bucket}` : `${config.dataDir}/media`;
    const key = config.secretKey ? 'SECRET_KEY' : `the key in ${config.dataDir}`;
    process.stdout.write(
      `${rows} rows of ${tables.length} tables are in ${resolve(directory)}. Back up beside it, elsewhere: ${key}, without ` +
        `which what is encrypted stays so, and the files of messages (${files}).\n`,
    );
  } finally {
    await database.stop();
  }
}

try {
  await main(process.argv[2]);
  process.exit(0);
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(1);
}
