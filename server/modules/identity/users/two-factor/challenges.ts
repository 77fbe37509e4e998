import type { TwoFactorRequired } from '#contracts/accounts.ts';
import type { Context, Tx } from '#server/context.ts';
import { UnauthenticatedError } from '#server/platform/errors.ts';
import { createToken, hashToken, tokenKind } from '#server/platform/secrets.ts';
import { findMethods, hasSecondFactor } from './has-second-factor.ts';
import { isRemembered } from './remembered-devices.ts';

const lifetimeMs = 10 * 60_000;

/** A program that signs in for every call has no more sign-ins under way than this. */
const mostChallenges = 20;

export class InvalidChallengeError extends UnauthenticatedError {
  constructor() {
    super('invalid_challenge', 'This sign-in has expired or was completed already. Sign in again.');
  }
}

/** For a person who has shown all but a second factor: undefined where none is asked for. Their row is locked. */
export async function openSecondStep(
  tx: Tx,
  userId: number,
  deviceToken: string | undefined,
): Promise<TwoFactorRequired | undefined> {
  if (!(await hasSecondFactor(tx, userId)) || (await isRemembered(tx, userId, deviceToken))) return undefined;
  return openChallenge(tx, userId);
}

/** For a person whose password was right. */
async function openChallenge(tx: Tx, userId: number): Promise<TwoFactorRequired> {
  const challenge = createToken('challenge');
  const expiresAt = new Date(tx.clock.now().getTime() + lifetimeMs);
  await tx.db
    .insertInto('sign_in_challenges')
    .values({ token_hash: hashToken(challenge), account_id: userId, expires_at: expiresAt })
    .execute();
  const surplus = tx.db
    .selectFrom('sign_in_challenges')
    .select('token_hash')
    .where('account_id', '=', userId)
    .orderBy('expires_at', 'desc')
    .offset(mostChallenges);
  await tx.db
    .deleteFrom('sign_in_challenges')
    .where('account_id', '=', userId)
    .where('token_hash', 'in', surplus)
    .execute();
  return { two_factor_required: true, challenge, methods: await findMethods(tx, userId) };
}

/** The person who signs in. Throws 401 `invalid_challenge`. */
export async function findChallenged(ctx: Context, challenge: string): Promise<number> {
  if (tokenKind(challenge) !== 'challenge') throw new InvalidChallengeError();
  const found = await ctx.db
    .selectFrom('sign_in_challenges')
    .select('account_id')
    .where('token_hash', '=', hashToken(challenge))
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  if (!found) throw new InvalidChallengeError();
  return found.account_id;
}

/** A challenge opens one session. Throws 401 `invalid_challenge`. */
export async function takeChallenge(tx: Tx, userId: number, challenge: string): Promise<void> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('sign_in_challenges')
    .where('account_id', '=', userId)
    .where('token_hash', '=', hashToken(challenge))
    .where('expires_at', '>', tx.clock.now())
    .executeTakeFirstOrThrow();
  if (numDeletedRows === 0n) throw new InvalidChallengeError();
}

/** Ends a person's sign-ins that are under way, and forgets their browsers. */
export async function forgetSignIns(ctx: Context, userId: number): Promise<void> {
  await ctx.db.deleteFrom('sign_in_challenges').where('account_id', '=', userId).execute();
  await ctx.db.deleteFrom('remembered_devices').where('account_id', '=', userId).execute();
}
