import { adminCommand } from '#server/admin/commands.ts';
import { withProduct } from '#server/admin/open-product.ts';
import { describeFault } from '#server/admin/run-command.ts';
import { loadConfig } from '#server/config.ts';
import { createLogger } from '#server/platform/logger.ts';

/** `npm run admin -- COMMAND`, `npx dovepost-admin COMMAND`: what was typed wrongly ends with 2, what failed with 1. */
try {
  const run = adminCommand(process.argv.slice(2));
  try {
    process.stdout.write(`${await withProduct(loadConfig(), createLogger('error'), run)}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${describeFault(error)}\n`);
    process.exit(1);
  }
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(2);
}
