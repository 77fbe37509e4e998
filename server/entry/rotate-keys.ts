import { withProduct } from '#server/admin/open-product.ts';
import { describeFault } from '#server/admin/run-command.ts';
import { loadConfig } from '#server/config.ts';
import { createLogger } from '#server/platform/logger.ts';
import { requireOpenSecrets } from '#server/require-open-secrets.ts';
import { rotateKeys } from '#server/rotate-keys.ts';

/** `npm run keys:rotate`: SECRET_KEY is the new key, SECRET_KEYS holds the old ones. Answers the exit code. */
async function main(): Promise<number> {
  const config = loadConfig();
  return withProduct(config, createLogger(config.logLevel), async (ctx) => {
    await requireOpenSecrets(ctx);
    const { accounts, projects, endpoints, answers, phoneSecrets, unopened } = await rotateKeys(ctx);
    process.stdout.write(
      `Encrypted anew: ${accounts} API keys, keys of ${projects} projects, secrets of ${endpoints} further webhook endpoints, ` +
        `${answers} kept answers, ${phoneSecrets} secrets of phones.\n`,
    );
    if (unopened === 0) return 0;
    process.stderr.write(`Left as they are: ${unopened} secrets that no key at hand opens. The log names them.\n`);
    return 1;
  });
}

try {
  process.exit(await main());
} catch (error) {
  process.stderr.write(`${describeFault(error)}\n`);
  process.exit(1);
}
