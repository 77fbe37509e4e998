import { adminCommand } from '#server/admin/commands.ts';
import { withProduct } from '#server/admin/open-product.ts';
import { describeFault } from '#server/admin/run-command.ts';
import { loadConfig } from '#server/config.ts';
import { createLogger } from '#server/platform/logger.ts';
import { requireOpenSecrets } from '#server/require-open-secrets.ts';

/** `npm run admin -- COMMAND`, `npx dovepost-admin COMMAND`: what was typed wrongly ends with 2, what failed with 1. */
try {
  const run = adminCommand(process.argv.slice(2));
  try {
    const answer = await withProduct(loadConfig(), createLogger('error'), async (ctx) => {
      // A mail that it enqueues is encrypted: the product could not open it.
      await requireOpenSecrets(ctx);
      return run(ctx);
    });
    process.stdout.write(`${answer}\n`);
    process.exit(0);
  } catch (error) {
    process.stderr.write(`${describeFault(error)}\n`);
    process.exit(1);
  }
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(2);
}
