import type { Context } from '#server/context.ts';
import { resealAnswers } from '#server/idempotency.ts';
import { resealApiKeys } from '#server/modules/identity/accounts/index.ts';
import { resealMails } from '#server/modules/identity/mails/index.ts';
import { resealErasureKeys } from '#server/modules/audience/suppressions/index.ts';
import { resealExportLinks } from '#server/modules/outreach/account-data/index.ts';
import { resealCredentials } from '#server/modules/numbers/links/index.ts';
import { resealOfficialNumbers, resealProxies } from '#server/modules/numbers/phones/index.ts';
import { resealTotpSecrets } from '#server/modules/identity/users/index.ts';
import { resealProjectKeys } from '#server/modules/identity/projects/index.ts';
import { resealPushes } from '#server/modules/messaging/notifications/index.ts';
import { resealEndpointSecrets } from '#server/modules/messaging/webhooks/index.ts';

/**
 * How many were under another key. `endpoints`: further webhook endpoints; `answers`: kept for Idempotency-Keys;
 * `unopened`: secrets that no key at hand opens, which stay as they are.
 */
type Resealed = {
  accounts: number;
  projects: number;
  endpoints: number;
  answers: number;
  phoneSecrets: number;
  unopened: number;
};

/**
 * Encrypts everything that is secret at rest anew with the current key, so that the old ones can go. May run beside a
 * server that has both keys, any number of times, and break off anywhere. A secret that does not open does not stop the
 * others.
 */
export async function rotateKeys(ctx: Context): Promise<Resealed> {
  let unopened = 0;
  const secrets: Context['secrets'] = {
    ...ctx.secrets,
    reseal(sealed, context) {
      try {
        return ctx.secrets.reseal(sealed, context);
      } catch (error) {
        unopened += 1;
        ctx.logger.error({ err: error, context }, 'a secret is left as it is: no key opens it');
        return undefined;
      }
    },
  };
  const all: Context = { ...ctx, secrets };
  const projects = await resealProjectKeys(all);
  const endpoints = await resealEndpointSecrets(all);
  const answers = await resealAnswers(all);
  await resealMails(all);
  await resealPushes(all);
  await resealTotpSecrets(all);
  await resealErasureKeys(all);
  await resealExportLinks(all);
  const phoneSecrets = (await resealCredentials(all)) + (await resealProxies(all)) + (await resealOfficialNumbers(all));
  // The check at the start looks at the accounts: once all of theirs are under the current key, everything is.
  const accounts = await resealApiKeys(all);
  return { accounts, projects, endpoints, answers, phoneSecrets, unopened };
}
