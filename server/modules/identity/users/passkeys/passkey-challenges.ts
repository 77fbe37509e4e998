import { randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { hashToken } from '#server/platform/secrets.ts';
import type { PasskeyPurpose } from '../tables.ts';

const lifetimeMs = 5 * 60_000;

/**
 * A challenge is good once, for one purpose. `boundTo`: the session, or the sign-in that is under way, which alone may
 * use it; undefined where nobody has said yet who they are.
 */
type Use = { purpose: PasskeyPurpose; boundTo?: Buffer | undefined };

export async function openPasskeyChallenge(ctx: Context, { purpose, boundTo }: Use): Promise<string> {
  const challenge = randomBytes(32).toString('base64url');
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeMs);
  if (boundTo) {
    // A session has one question of a kind at a time.
    await ctx.db
      .deleteFrom('passkey_challenges')
      .where('bound_to', '=', boundTo)
      .where('purpose', '=', purpose)
      .execute();
  }
  await ctx.db
    .insertInto('passkey_challenges')
    .values({ challenge_hash: hashToken(challenge), purpose, bound_to: boundTo ?? null, expires_at: expiresAt })
    .execute();
  return challenge;
}

/** Whether the challenge was open for this use; it is not any more. Not undone by what fails after it. */
export async function takePasskeyChallenge(
  ctx: Context,
  challenge: string,
  { purpose, boundTo }: Use,
): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', hashToken(challenge))
    .where('purpose', '=', purpose)
    .where('bound_to', 'is not distinct from', boundTo ?? null)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** The challenge that an answer of a browser was made for; undefined for what is no such answer. */
export function challengeOf(clientDataJSON: string): string | undefined {
  try {
    const data: unknown = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString());
    return typeof data === 'object' && data !== null && 'challenge' in data && typeof data.challenge === 'string'
      ? data.challenge
      : undefined;
  } catch {
    return undefined;
  }
}
