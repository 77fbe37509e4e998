import type { Registration, SignedIn } from '#contracts/accounts.ts';
import type { Context, Tx } from '#server/context.ts';
import { createAccount } from '#server/modules/identity/accounts/index.ts';
import type { AccountRow } from '#server/modules/identity/accounts/index.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { countryOfSignUp, languageOfSignUp } from './country-of-sign-up.ts';
import { emailKey } from './email-key.ts';
import { confirmsByMail } from './email/email-links.ts';
import type { Origin } from './origin.ts';
import { refuseGuessablePassword } from './passwords/common-passwords.ts';
import { hashPassword, noPassword } from './passwords/password-hash.ts';
import { recordSecurityEvent } from './security-events/record-security-event.ts';
import { openSession } from './sessions/sessions.ts';
import { rememberNetwork } from './sessions/sign-in-networks.ts';

export type NewPerson = Registration & { origin: Origin; acceptLanguage: string | undefined };

/** A person whose password is hashed already: that takes its turn, and no transaction waits for it. */
export type PreparedPerson = NewPerson & { passwordHash: string; unconfirmedSince: Date | null };

/** Throws 422 for a password that is easily guessed, `BusyError`. */
export async function preparePerson(ctx: Context, input: NewPerson): Promise<PreparedPerson> {
  await refuseGuessablePassword({ ...input, field: 'password' });
  const network = { key: clientNetwork(input.origin.ip), isKnown: false };
  const passwordHash = await hashPassword(input.password, network);
  return { ...input, passwordHash, unconfirmedSince: unconfirmedSince(ctx) };
}

/** Of an address that somebody typed, where mail can confirm it. */
export const unconfirmedSince = (ctx: Context): Date | null => (confirmsByMail(ctx) ? ctx.clock.now() : null);

/** Somebody whose address is vouched for, unless the caller says otherwise. */
export function withoutPassword(input: Omit<NewPerson, 'password'>): PreparedPerson {
  return { ...input, password: '', passwordHash: noPassword, unconfirmedSince: null };
}

/** Makes the person, with an account of their own, and signs them in. Rejects a taken e-mail as the database does. */
export async function createPerson(
  tx: Tx,
  input: PreparedPerson,
): Promise<Pick<SignedIn, 'token'> & { account: AccountRow }> {
  const account = await createAccount(tx, {
    name: input.name,
    email: input.email,
    email_key: emailKey(input.email),
    password_hash: input.passwordHash,
    language: languageOfSignUp(input),
    timezone: input.timezone ?? 'UTC',
    default_country: countryOfSignUp(input),
    created_at: tx.clock.now(),
    email_unconfirmed_since: input.unconfirmedSince,
  });
  const { origin } = input;
  await rememberNetwork(tx, account.id, origin.ip);
  await recordSecurityEvent(tx, { userId: account.id, type: 'signed_up', origin });
  return { token: await openSession(tx, account.id, origin), account };
}
