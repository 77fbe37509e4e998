import type { SignedIn } from '#contracts/accounts.ts';
import type { SecondStep } from '#contracts/two-factor.ts';
import type { Context } from '#server/context.ts';
import { UnauthenticatedError } from '#server/platform/errors.ts';
import type { Origin } from '../origin.ts';
import { signIn } from '../sessions/sign-in.ts';
import { findChallenged, takeChallenge } from './challenges.ts';
import { withCode } from './prove-code.ts';
import { rememberDevice } from './remembered-devices.ts';

/**
 * A wrong code leaves the challenge as it is. Throws 401 `invalid_challenge`, `invalid_code`, 429 `too_many_attempts`.
 */
export async function signInWithCode(
  ctx: Context,
  input: SecondStep & { origin: Origin },
): Promise<SignedIn & { deviceToken: string | undefined }> {
  const userId = await findChallenged(ctx, input.challenge);
  const { code, origin } = input;
  const signedIn = await withCode(ctx, { userId, code, origin }, async (tx, user) => {
    await takeChallenge(tx, userId, input.challenge);
    const deviceToken = input.remember_device ? await rememberDevice(tx, userId) : undefined;
    return { ...(await signIn(tx, { user, origin, isConfirmed: true })), deviceToken };
  });
  if (!signedIn) {
    throw new UnauthenticatedError('invalid_code', 'This code is no longer valid. Is the clock of your phone right?');
  }
  return signedIn;
}
