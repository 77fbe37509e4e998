import type { Context } from '#server/context.ts';
import { resealAnswers } from '#server/idempotency.ts';
import { resealApiKeys } from '#server/modules/accounts/index.ts';
import { resealCredentials } from '#server/modules/phone-links/index.ts';
import { resealProxies } from '#server/modules/phone-numbers/index.ts';
import { resealProjectKeys } from '#server/modules/projects/index.ts';
import { resealEndpointSecrets } from '#server/modules/webhooks/index.ts';

/** How many were under another key. `endpoints`: further webhook endpoints; `answers`: kept for Idempotency-Keys. */
type Resealed = { accounts: number; projects: number; endpoints: number; answers: number; phoneSecrets: number };

/**
 * Encrypts everything that is secret at rest anew with the current key, so that the old ones can go. May run beside a
 * server that has both keys, any number of times, and break off anywhere.
 */
export async function rotateKeys(ctx: Context): Promise<Resealed> {
  const accounts = await resealApiKeys(ctx);
  const projects = await resealProjectKeys(ctx);
  const endpoints = await resealEndpointSecrets(ctx);
  const answers = await resealAnswers(ctx);
  return {
    accounts,
    projects,
    endpoints,
    answers,
    phoneSecrets: (await resealCredentials(ctx)) + (await resealProxies(ctx)),
  };
}
