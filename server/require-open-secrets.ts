import { ConfigError } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { opensStoredSecrets } from '#server/modules/identity/accounts/index.ts';

/** With another key nothing that is stored would open, and what is written now would not later. Throws `ConfigError`. */
export async function requireOpenSecrets(ctx: Context): Promise<void> {
  if (await opensStoredSecrets(ctx)) return;
  throw new ConfigError(
    'SECRET_KEY',
    'the key that the stored secrets were encrypted with, or that key in SECRET_KEYS',
  );
}
