import type { Context, Tx, UserContext } from '#server/context.ts';
import { announceCredentials } from '#server/modules/identity/live/index.ts';
import { UnauthenticatedError } from '#server/platform/errors.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import type { Origin } from '../origin.ts';
import { forgetSignIns } from '../two-factor/challenges.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** A session ends 90 days after sign-in, or after 30 days without use. */
const lifetimeMs = 90 * dayMs;
const idleMs = 30 * dayMs;
/** Use is noted this rarely, so that reading stays reading. */
const noteUseEveryMs = hourMs;

/** A program that signs in for every call has no more than this; whichever was not used for longest ends. */
export const mostSessions = 200;

/** Sessions used last before this have ended. */
export function idleSince(now: Date): Date {
  return new Date(now.getTime() - idleMs);
}

/** The token is given out only here; what is stored cannot be turned back into it. */
export async function openSession(
  tx: Tx,
  userId: number,
  origin: Origin,
  { isConfirmed = true }: { isConfirmed?: boolean } = {},
): Promise<string> {
  const token = createToken('session');
  const now = tx.clock.now();
  await tx.db
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      account_id: userId,
      created_at: now,
      last_used_at: now,
      confirmed_at: isConfirmed ? now : null,
      expires_at: new Date(now.getTime() + lifetimeMs),
      ip: origin.ip,
      user_agent: origin.userAgent?.slice(0, 300) ?? null,
    })
    .execute();
  await endSurplusSessions(tx, userId);
  return token;
}

async function endSurplusSessions(tx: Tx, userId: number): Promise<void> {
  const surplus = tx.db
    .selectFrom('sessions')
    .select('token_hash')
    .where('account_id', '=', userId)
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .offset(mostSessions);
  const { numDeletedRows } = await tx.db
    .deleteFrom('sessions')
    .where('account_id', '=', userId)
    .where('token_hash', 'in', surplus)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await announceCredentials(tx);
}

export async function noteSessionUse(
  ctx: Context,
  session: { token_hash: Buffer; user_id: number; last_used_at: Date },
): Promise<void> {
  const now = ctx.clock.now();
  if (now.getTime() - session.last_used_at.getTime() < noteUseEveryMs) return;
  await ctx.db
    .updateTable('sessions')
    .set({ last_used_at: now })
    .where('token_hash', '=', session.token_hash)
    .where('account_id', '=', session.user_id)
    .execute();
}

/** All of a person's sessions, but for one that may stay; sign-ins under way and remembered browsers end too. */
export async function endSessions(tx: Tx, userId: number, except?: Buffer): Promise<void> {
  await forgetSignIns(tx, userId);
  await tx.db
    .deleteFrom('sessions')
    .where('account_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('token_hash', '!=', except ?? Buffer.alloc(0)))
    .execute();
  await announceCredentials(tx);
}

/**
 * For what a session must not bring about once it was ended: asked after a lock that whoever ends it waits for, or who had
 * it before. Throws 401.
 */
export async function requireSession({ db, actor }: Tx<UserContext>): Promise<void> {
  const session = await db
    .selectFrom('sessions')
    .select('token_hash')
    .where('account_id', '=', actor.userId)
    .where('token_hash', '=', actor.session.tokenHash)
    .executeTakeFirst();
  if (!session) throw new UnauthenticatedError();
}

/** From now on the session works in this account, if its person is a member there. */
export async function workIn(
  tx: Tx,
  { tokenHash, accountId }: { tokenHash: Buffer; accountId: number },
): Promise<void> {
  // account-wide: the token is the session's own.
  await tx.db
    .updateTable('sessions')
    .set({ current_account_id: accountId })
    .where('token_hash', '=', tokenHash)
    .execute();
}
