import { parseArgs } from 'node:util';
import { openDatabase } from '#server/admin/open-product.ts';
import { describeFault } from '#server/admin/run-command.ts';
import { loadConfig } from '#server/config.ts';
import { distributeCell } from '#server/distribute-cell.ts';
import { prepareDatabase } from '#server/migrate-database.ts';
import { createLogger } from '#server/platform/logger.ts';

/**
 * `npm run migrate`: what a start does to the database, without the start; the product may run meanwhile. With `--finish`
 * it also takes away what the release before needs; with `--distribute` it gives the cell to Citus.
 */
async function main(): Promise<void> {
  const { finish = false, distribute = false } = parseArgs({
    options: { finish: { type: 'boolean' }, distribute: { type: 'boolean' } },
  }).values;
  const config = loadConfig();
  const logger = createLogger(config.logLevel);
  const database = await openDatabase(config, logger);
  try {
    const { ownerConnectionString, role } = database;
    if (distribute) {
      await distributeCell(ownerConnectionString, { logger, role, schema: config.databaseSchema });
      process.stdout.write(`Citus has ${config.databaseSchema}.\n`);
      return;
    }
    const ran = await prepareDatabase(ownerConnectionString, {
      logger,
      role,
      schema: config.databaseSchema,
      finishes: finish,
    });
    process.stdout.write(ran.length === 0 ? 'The database is up to date.\n' : `Ran: ${ran.join(', ')}\n`);
  } finally {
    await database.stop();
  }
}

try {
  await main();
  process.exit(0);
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(1);
}
