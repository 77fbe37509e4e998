import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { TooManyRequestsError } from '#server/platform/errors.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { attemptKey, countAttempt, forgetAttempts, returnAttempt } from '../attempts.ts';
import type { Origin } from '../origin.ts';
import type { Authentication } from '../passkeys/browser-answers.ts';
import { isOfPasskey, takeChallengeOf } from '../passkeys/prove-passkey.ts';
import { waitText } from '../passwords/wait-text.ts';
import { lockUser } from '../queries.ts';
import type { UserRow } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { isKnownNetwork } from '../sessions/sign-in-networks.ts';
import { takeRecoveryCode } from './recovery-codes.ts';
import { takeTotpCode } from './totp.ts';

const minuteMs = 60_000;

/** Five wrong codes in a row of one person from one network, whatever the challenge. */
const ownFailures = { max: 5, windowMs: 15 * minuteMs };
/** For a person who is tried from many networks they have never signed in from. */
const strangerFailures = { max: 20, windowMs: 60 * minuteMs };

/** A code, or a passkey's answer to a challenge that is bound to a session or to a sign-in that is under way. */
export type Proof =
  | { code: string }
  | { passkey: Authentication; purpose: 'second_factor' | 'confirm'; boundTo: Buffer };

type Claim = { userId: number; proof: Proof; origin: Origin };

/**
 * Does `work` with the person's locked row where the proof is theirs; a code is used up in the same transaction, and a
 * passkey's challenge in any case. Undefined for a wrong one, which counts and is recorded. Throws 429
 * `too_many_attempts`.
 */
export async function withProof<T>(
  ctx: Context,
  claim: Claim,
  work: (tx: Tx, user: UserRow) => Promise<T>,
): Promise<T | undefined> {
  const { userId, origin } = claim;
  const tries = await takeTries(ctx, claim);
  const takeProof = await prepareProof(ctx, claim);
  const done = await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    if (!(await takeProof(tx))) return undefined;
    return { result: await work(tx, user) };
  });
  if (done) {
    await giveTriesBack(ctx, claim, tries);
    return done.result;
  }
  await recordSecurityEvent(ctx, { userId, type: 'second_factor_failed', origin });
  if (tries.isLast) await recordSecurityEvent(ctx, { userId, type: 'locked_out', origin });
  return undefined;
}

async function prepareProof(ctx: Context, { userId, proof, origin }: Claim): Promise<(tx: Tx) => Promise<boolean>> {
  if ('code' in proof) return (tx) => takeCode(tx, { userId, code: proof.code, origin });
  const { passkey: response, purpose, boundTo } = proof;
  const challenge = await takeChallengeOf(ctx, response, { purpose, boundTo });
  if (challenge === undefined) return () => Promise.resolve(false);
  return (tx) => isOfPasskey(tx, { userId, response, challenge, isAlone: false });
}

async function takeCode(tx: Tx, { userId, code, origin }: { userId: number; code: string; origin: Origin }) {
  const digits = code.replaceAll(/\s/g, '');
  if (/^\d{6}$/.test(digits)) return takeTotpCode(tx, userId, digits);
  if (!(await takeRecoveryCode(tx, userId, code))) return false;
  await recordSecurityEvent(tx, { userId, type: 'recovery_code_used', origin });
  return true;
}

const ownKey = ({ userId, origin }: Claim) => attemptKey('code', String(userId), clientNetwork(origin.ip));
const strangerKey = ({ userId }: Claim) => attemptKey('code-of-account', String(userId));

type Tries = { isLast: boolean; isStranger: boolean };

/** Counted before the code is looked at, so that a burst gets no further. */
async function takeTries(ctx: Context, claim: Claim): Promise<Tries> {
  const own = await countAttempt(ctx, ownKey(claim), ownFailures);
  if (!own.isLeft) throw tooManyTries(own.waitSeconds);
  if (await isKnownNetwork(ctx, claim.userId, claim.origin.ip)) return { isLast: own.isLast, isStranger: false };
  const strangers = await countAttempt(ctx, strangerKey(claim), strangerFailures);
  if (strangers.isLeft) return { isLast: own.isLast || strangers.isLast, isStranger: true };
  await returnAttempt(ctx, ownKey(claim));
  throw tooManyTries(strangers.waitSeconds);
}

/** A success ends a row of failures. Other failures of strangers stay counted. */
async function giveTriesBack(ctx: Context, claim: Claim, { isStranger }: Tries): Promise<void> {
  await forgetAttempts(ctx, ownKey(claim));
  if (isStranger) await returnAttempt(ctx, strangerKey(claim));
}

function tooManyTries(waitSeconds: number): TooManyRequestsError {
  const text = `Too many wrong codes. Wait ${waitText(waitSeconds)}.`;
  return new TooManyRequestsError('too_many_attempts', text, waitSeconds);
}
