import { diagnose } from '#server/admin/doctor.ts';
import { openDatabase, withContext } from '#server/admin/open-product.ts';
import { describeFault, printed } from '#server/admin/run-command.ts';
import { loadConfig } from '#server/config.ts';
import { createLogger } from '#server/platform/logger.ts';

/** `npm run doctor`: what is wrong with the surroundings, and what to do; ends with 1 where something failed. */
async function main(isJson: boolean): Promise<number> {
  const config = loadConfig();
  const logger = createLogger('silent');
  const database = await openDatabase(config, logger);
  try {
    const findings = await withContext(database, { config, logger, isMaybeAway: true }, (ctx) =>
      diagnose(ctx, database),
    );
    const rows = findings.map(({ check, state, found, remedy }) => ({ check, state, found, remedy: remedy ?? null }));
    process.stdout.write(`${isJson ? JSON.stringify(rows, null, 2) : printed(rows)}\n`);
    return findings.some(({ state }) => state === 'failed') ? 1 : 0;
  } finally {
    await database.stop();
  }
}

try {
  process.exit(await main(process.argv.includes('--json')));
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(1);
}
