import type { Credentials, SignedIn } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { UnauthenticatedError } from '#server/platform/errors.ts';
import type { Origin } from '../origin.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { presentUser } from '../present.ts';
import { findAccountByEmail } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { openSession } from './sessions.ts';
import { rememberNetwork } from './sign-in-networks.ts';

/** An unknown address and a wrong password get the same answer. */
class InvalidCredentialsError extends UnauthenticatedError {
  constructor() {
    super('invalid_credentials', 'Invalid email or password');
  }
}

export async function login(ctx: Context, input: Credentials & { origin: Origin }): Promise<SignedIn> {
  const account = await findAccountByEmail(ctx, input.email);
  const isProven = await provePassword(ctx, { ...input, passwordHash: account?.password_hash, accountId: account?.id });
  if (!account || !isProven) throw new InvalidCredentialsError();
  return inTransaction(ctx, async (tx) => {
    // Locked: a password changed meanwhile ends all sessions, and this one must not slip in after that. Sign-ins of one
    // account follow one another, so that no two end the same surplus sessions.
    const unchanged = await tx.db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', account.id)
      .where('password_hash', '=', account.password_hash)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!unchanged) throw new InvalidCredentialsError();
    const { origin } = input;
    await rememberNetwork(tx, account.id, origin.ip);
    await recordSecurityEvent(tx, { accountId: account.id, type: 'signed_in', origin });
    return { token: await openSession(tx, account.id, origin), user: presentUser(unchanged, ctx.secrets) };
  });
}
