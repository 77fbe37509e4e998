import type { SignedIn } from '#contracts/accounts.ts';
import type { AuthenticationResponse } from '#contracts/web-authn.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { UnauthenticatedError } from '#server/platform/errors.ts';
import type { Origin } from '../origin.ts';
import { lockUser } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { signIn } from '../sessions/sign-in.ts';
import { readAuthentication } from './browser-answers.ts';
import { findPasskeyOwner, isOfPasskey, takeChallengeOf } from './prove-passkey.ts';

export class InvalidPasskeyError extends UnauthenticatedError {
  constructor() {
    super('invalid_passkey', 'This passkey is not known here, or the question has expired. Try again.');
  }
}

/** A passkey that has seen its person is both factors. Throws 401 `invalid_passkey`, 422. */
export async function signInWithPasskey(
  ctx: Context,
  input: { response: AuthenticationResponse; origin: Origin },
): Promise<SignedIn> {
  const { origin } = input;
  const response = readAuthentication(input.response, 'response');
  const challenge = await takeChallengeOf(ctx, response, { purpose: 'sign_in' });
  const userId = await findPasskeyOwner(ctx, response);
  if (challenge === undefined || userId === undefined) throw new InvalidPasskeyError();
  const signedIn = await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!(await isOfPasskey(tx, { userId, response, challenge, isAlone: true }))) return undefined;
    return signIn(tx, { user, origin, isConfirmed: true });
  });
  if (signedIn) return signedIn;
  await recordSecurityEvent(ctx, { userId, type: 'second_factor_failed', origin });
  throw new InvalidPasskeyError();
}
