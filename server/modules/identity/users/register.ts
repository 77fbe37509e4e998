import type { Registration, SignedIn } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { createAccount } from '#server/modules/identity/accounts/index.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { countryOfSignUp } from './country-of-sign-up.ts';
import { emailKey } from './email-key.ts';
import { refuseTakenEmail } from './email-taken-error.ts';
import { confirmsByMail } from './email/email-links.ts';
import { mailConfirmation } from './email/resend-confirmation.ts';
import type { Origin } from './origin.ts';
import { refuseGuessablePassword } from './passwords/common-passwords.ts';
import { hashPassword } from './passwords/password-hash.ts';
import { presentUser } from './present.ts';
import { recordSecurityEvent } from './security-events/record-security-event.ts';
import { openSession } from './sessions/sessions.ts';
import { rememberNetwork } from './sessions/sign-in-networks.ts';

export async function register(
  ctx: Context,
  input: Registration & { origin: Origin; acceptLanguage: string | undefined },
): Promise<SignedIn> {
  refuseGuessablePassword({ ...input, field: 'password' });
  const { origin } = input;
  const passwordHash = await hashPassword(input.password, { key: clientNetwork(origin.ip), isKnown: false });
  const unconfirmedSince = confirmsByMail(ctx) ? ctx.clock.now() : null;
  const signedIn = await refuseTakenEmail(
    inTransaction(ctx, async (tx) => {
      const account = await createAccount(tx, {
        name: input.name,
        email: input.email,
        email_key: emailKey(input.email),
        password_hash: passwordHash,
        timezone: input.timezone ?? 'UTC',
        default_country: countryOfSignUp(input),
        created_at: ctx.clock.now(),
        email_unconfirmed_since: unconfirmedSince,
      });
      await rememberNetwork(tx, account.id, origin.ip);
      await recordSecurityEvent(tx, { userId: account.id, type: 'signed_up', origin });
      return { token: await openSession(tx, account.id, origin), user: presentUser(tx, account, account) };
    }),
  );
  if (unconfirmedSince) mailConfirmation(ctx, signedIn.user);
  return signedIn;
}
