import type { Credentials, SignedIn, TwoFactorRequired } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findInCells } from '#server/modules/identity/cells/index.ts';
import { UnauthenticatedError } from '#server/platform/errors.ts';
import type { Origin } from '../origin.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { emailKey } from '../email-key.ts';
import { findUserByEmail } from '../queries.ts';
import { openSecondStep } from '../two-factor/challenges.ts';
import { hasSecondFactor } from '../two-factor/has-second-factor.ts';
import { signIn } from './sign-in.ts';

/** An unknown address and a wrong password get the same answer. */
class InvalidCredentialsError extends UnauthenticatedError {
  constructor() {
    super('invalid_credentials', 'Invalid email or password');
  }
}

/** `deviceToken`: of a browser that is not asked for the second factor, from its cookie. */
type SignIn = Credentials & { origin: Origin; deviceToken?: string | undefined };

export async function login(ctx: Context, input: SignIn): Promise<SignedIn | TwoFactorRequired> {
  const user = await findUserByEmail(ctx, input.email);
  const isProven = await provePassword(ctx, { ...input, passwordHash: user?.password_hash, userId: user?.id });
  if (!user) await findInCells(ctx, { emailKey: emailKey(input.email) }, () => findUserByEmail(ctx, input.email));
  if (!user || !isProven) throw new InvalidCredentialsError();
  return inTransaction(ctx, async (tx) => {
    // Locked: a password changed meanwhile ends all sessions, and this one must not slip in after that. Sign-ins of one
    // person follow one another, so that no two end the same surplus sessions, and a factor that is confirmed meanwhile
    // is asked for.
    const unchanged = await tx.db
      .selectFrom('users')
      .selectAll()
      .where('id', '=', user.id)
      .where('password_hash', '=', user.password_hash)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!unchanged) throw new InvalidCredentialsError();
    const { origin, deviceToken } = input;
    const challenge = await openSecondStep(tx, user.id, deviceToken);
    if (challenge) return challenge;
    return signIn(tx, { user: unchanged, origin, isConfirmed: !(await hasSecondFactor(tx, user.id)) });
  });
}
