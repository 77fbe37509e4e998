import type { Context } from '#server/context.ts';
import { TooManyRequestsError } from '#server/platform/errors.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { attemptKey, forgetAttempts, takeAttempt } from '../attempts.ts';
import { emailKey } from '../email-key.ts';
import { isPassword, passwordWork } from './password-hash.ts';

/** Ten wrong passwords in a row, then a pause. */
const failures = { max: 10, windowMs: 15 * 60_000 };

export function passwordAttemptKey(email: string, ip: string): string {
  return attemptKey('password', emailKey(email), clientNetwork(ip));
}

/**
 * Whether the password is the account's; `passwordHash` is undefined where there is no account, and the answer takes
 * the same work. Throws 429 `too_many_attempts` after ten failures in a row for one address and caller, `BusyError`.
 */
export function provePassword(
  ctx: Context,
  claim: { email: string; ip: string; password: string; passwordHash: string | undefined },
): Promise<boolean> {
  // Counted within the turn: what still waits for one has not been tried, and a burst that is right does not use up
  // the attempts of itself.
  return passwordWork.run(async () => {
    const key = passwordAttemptKey(claim.email, claim.ip);
    const waitSeconds = await takeAttempt(ctx, key, failures);
    if (waitSeconds !== undefined) {
      throw new TooManyRequestsError(
        'too_many_attempts',
        'Too many failed attempts. Wait a few minutes, or reset your password.',
        waitSeconds,
      );
    }
    const isRight = await isPassword(claim.password, claim.passwordHash);
    if (isRight) await forgetAttempts(ctx, key);
    return isRight;
  });
}
