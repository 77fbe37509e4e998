import type { Context } from '#server/context.ts';
import { resealApiKeys } from '#server/modules/accounts/index.ts';
import { resealCredentials } from '#server/modules/phone-links/index.ts';
import { resealProxies } from '#server/modules/phone-numbers/index.ts';
import { resealProjectKeys } from '#server/modules/projects/index.ts';

/**
 * Encrypts everything that is secret at rest anew with the current key, so that the old ones can go. May run beside a
 * server that has both keys, any number of times, and break off anywhere.
 */
export async function rotateKeys(ctx: Context): Promise<{ accounts: number; projects: number; phoneSecrets: number }> {
  const accounts = await resealApiKeys(ctx);
  const projects = await resealProjectKeys(ctx);
  return { accounts, projects, phoneSecrets: (await resealCredentials(ctx)) + (await resealProxies(ctx)) };
}
