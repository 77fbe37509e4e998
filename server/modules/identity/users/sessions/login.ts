import type { Credentials, SignedIn } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { UnauthenticatedError } from '#server/platform/errors.ts';
import type { Origin } from '../origin.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { presentSignedIn } from '../present.ts';
import { findUserByEmail } from '../queries.ts';
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
  const user = await findUserByEmail(ctx, input.email);
  const isProven = await provePassword(ctx, { ...input, passwordHash: user?.password_hash, userId: user?.id });
  if (!user || !isProven) throw new InvalidCredentialsError();
  return inTransaction(ctx, async (tx) => {
    // Locked: a password changed meanwhile ends all sessions, and this one must not slip in after that. Sign-ins of one
    // person follow one another, so that no two end the same surplus sessions.
    const unchanged = await tx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!unchanged) throw new InvalidCredentialsError();
    const { origin } = input;
    await rememberNetwork(tx, user.id, origin.ip);
    await recordSecurityEvent(tx, { userId: user.id, type: 'signed_in', origin });
    const token = await openSession(tx, user.id, origin);
    return { token, user: await presentSignedIn(tx, unchanged) };
  });
}
