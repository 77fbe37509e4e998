import type { Context } from '#server/context.ts';
import { TooManyRequestsError } from '#server/platform/errors.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { attemptKey, countAttempt, forgetAttempts, returnAttempt, secondsToWait } from '../attempts.ts';
import type { AttemptLimit } from '../attempts.ts';
import { runInBackground } from '../in-background.ts';
import { emailKey } from '../email-key.ts';
import type { Origin } from '../origin.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { isKnownNetwork } from '../sessions/sign-in-networks.ts';
import { isPassword, passwordWork } from './password-hash.ts';
import { waitText } from './wait-text.ts';

const minuteMs = 60_000;

/** Ten wrong passwords in a row for one account from one network, then a pause. */
const ownFailures = { max: 10, windowMs: 15 * minuteMs };
/** For a network that tries many accounts. Generous: a whole office shares an address. */
const networkFailures = { max: 60, windowMs: 15 * minuteMs };
/** For an account that is tried from many networks it has never signed in from. */
const strangerFailures = { max: 30, windowMs: 60 * minuteMs };

type Budget = { key: string; limit: AttemptLimit };

export function passwordAttemptKey(email: string, ip: string): string {
  return attemptKey('password', emailKey(email), clientNetwork(ip));
}

/**
 * The budgets that an attempt counts against. Where the account has signed in before, nobody elsewhere uses up its
 * attempts.
 */
function budgetsOf(email: string, ip: string, isKnown: boolean): Budget[] {
  const own = { key: passwordAttemptKey(email, ip), limit: ownFailures };
  if (isKnown) return [own];
  return [
    own,
    { key: attemptKey('password-of-network', clientNetwork(ip)), limit: networkFailures },
    { key: attemptKey('password-of-account', emailKey(email)), limit: strangerFailures },
  ];
}

/** `userId` and `passwordHash` are undefined where there is no account. */
type Claim = {
  email: string;
  origin: Origin;
  password: string;
  passwordHash: string | undefined;
  userId: number | undefined;
};

/**
 * Whether the password is the account's; where there is no account the answer takes the same work. Throws 429
 * `too_many_attempts` when a budget of failures is used up, `BusyError`.
 */
export async function provePassword(ctx: Context, claim: Claim): Promise<boolean> {
  const { ip } = claim.origin;
  const isKnown = await isKnownNetwork(ctx, claim.userId, ip);
  const budgets = budgetsOf(claim.email, ip, isKnown);
  // A caller that has to wait takes no turn from others.
  for (const { key, limit } of budgets) refuseWaiting(await secondsToWait(ctx, key, limit));
  // Counted within the turn: what still waits for one has not been tried, and a burst that is right does not use up
  // the attempts of itself.
  return passwordWork.run({ key: clientNetwork(ip), isKnown }, async () => {
    const { isLast } = await takeAttempts(ctx, budgets);
    const isRight = await isPassword(claim.password, claim.passwordHash);
    if (isRight) await giveBack(ctx, budgets);
    else noteFailure(ctx, claim, isLast);
    return isRight;
  });
}

function refuseWaiting(waitSeconds: number | undefined): void {
  if (waitSeconds === undefined) return;
  throw new TooManyRequestsError(
    'too_many_attempts',
    `Too many failed attempts. Wait ${waitText(waitSeconds)}, or reset your password.`,
    waitSeconds,
  );
}

/** Takes an attempt from each budget, or from none. */
async function takeAttempts(ctx: Context, budgets: readonly Budget[]): Promise<{ isLast: boolean }> {
  let isLast = false;
  for (const [index, { key, limit }] of budgets.entries()) {
    const counted = await countAttempt(ctx, key, limit);
    if (!counted.isLeft) {
      for (const taken of budgets.slice(0, index)) await returnAttempt(ctx, taken.key);
      refuseWaiting(counted.waitSeconds);
    } else {
      isLast ||= counted.isLast;
    }
  }
  return { isLast };
}

/** A success ends a row of failures. Other failures of a network or of strangers stay counted. */
async function giveBack(ctx: Context, [own, ...shared]: readonly Budget[]): Promise<void> {
  if (own) await forgetAttempts(ctx, own.key);
  for (const { key } of shared) await returnAttempt(ctx, key);
}

/** Behind the answer, whose time must not reveal whether there is an account. */
function noteFailure(ctx: Context, { userId, origin }: Claim, isLast: boolean): void {
  if (userId === undefined) {
    ctx.logger.info({ securityEvent: 'sign_in_failed', ip: origin.ip, userAgent: origin.userAgent }, 'security event');
    return;
  }
  runInBackground(ctx, async () => {
    await recordSecurityEvent(ctx, { userId, type: 'sign_in_failed', origin });
    if (isLast) await recordSecurityEvent(ctx, { userId, type: 'locked_out', origin });
  });
}
