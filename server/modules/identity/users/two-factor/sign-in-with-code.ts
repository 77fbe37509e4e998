import type { SignedIn } from '#contracts/accounts.ts';
import type { SecondStep } from '#contracts/two-factor.ts';
import type { Context } from '#server/context.ts';
import { InvalidInputError, UnauthenticatedError } from '#server/platform/errors.ts';
import { hashToken } from '#server/platform/secrets.ts';
import type { Origin } from '../origin.ts';
import { readAuthentication } from '../passkeys/browser-answers.ts';
import { InvalidPasskeyError } from '../passkeys/sign-in-with-passkey.ts';
import { signIn } from '../sessions/sign-in.ts';
import { findChallenged, takeChallenge } from './challenges.ts';
import { withProof } from './prove-code.ts';
import type { Proof } from './prove-code.ts';
import { rememberDevice } from './remembered-devices.ts';

/**
 * A wrong code or passkey leaves the challenge as it is. Throws 401 `invalid_challenge`, `invalid_code`,
 * `invalid_passkey`, 429 `too_many_attempts`.
 */
export async function signInWithCode(
  ctx: Context,
  input: SecondStep & { origin: Origin },
): Promise<SignedIn & { deviceToken: string | undefined }> {
  const userId = await findChallenged(ctx, input.challenge);
  const { origin } = input;
  const signedIn = await withProof(ctx, { userId, proof: proofOf(input), origin }, async (tx, user) => {
    await takeChallenge(tx, userId, input.challenge);
    const deviceToken = input.remember_device ? await rememberDevice(tx, userId) : undefined;
    return { ...(await signIn(tx, { user, origin, isConfirmed: true })), deviceToken };
  });
  if (signedIn) return signedIn;
  if (input.code === undefined) throw new InvalidPasskeyError();
  throw new UnauthenticatedError('invalid_code', 'This code is no longer valid. Is the clock of your phone right?');
}

function proofOf({ challenge, code, passkey }: SecondStep): Proof {
  if (code !== undefined) return { code };
  if (passkey === undefined) throw new InvalidInputError([{ path: 'code', message: 'Enter the code' }]);
  return { passkey: readAuthentication(passkey, 'passkey'), purpose: 'second_factor', boundTo: hashToken(challenge) };
}
