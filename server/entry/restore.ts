import { resolve } from 'node:path';
import { openDatabase } from '#server/admin/open-product.ts';
import { describeFault, UsageError } from '#server/admin/run-command.ts';
import { loadConfig } from '#server/config.ts';
import { withoutWorkers } from '#server/distribute-cell.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { restoreBackup } from '#server/platform/db/backup/restore-backup.ts';
import { openSchema } from '#server/platform/db/schema.ts';
import { createLogger } from '#server/platform/logger.ts';

/** `npm run restore -- DIRECTORY`: a backup into an empty database, brought to the schema of this version. */
async function main(directory: string | undefined): Promise<void> {
  if (directory === undefined) throw new UsageError('Usage: npm run restore -- DIRECTORY (of a backup)');
  const logger = createLogger('error');
  const config = loadConfig();
  const schema = config.databaseSchema;
  const database = await openDatabase(config, logger);
  try {
    const { ownerConnectionString, role } = database;
    const { tables, made_at: madeAt } = await restoreBackup(
      // Citus is given the cell once it is whole.
      await openSchema(withoutWorkers(ownerConnectionString), schema),
      resolve(directory),
    );
    const ran = await prepareDatabase(withoutWorkers(ownerConnectionString), { logger, role, schema });
    const rows = tables.reduce((sum, table) => sum + table.rows, 0);
    process.stdout.write(
      `${rows} rows of ${madeAt} are back, and ${ran.length} migrations ran after them. Start with the same SECRET_KEY.\n`,
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
