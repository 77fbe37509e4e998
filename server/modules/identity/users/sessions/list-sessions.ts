import type { AccountSession } from '#contracts/security-events.ts';
import type { UserContext } from '#server/context.ts';
import { idleSince, mostSessions } from './sessions.ts';

/** A session's public id: taken from the token's hash, which reveals nothing about the token. */
export function sessionId(tokenHash: Buffer): number {
  return tokenHash.readUIntBE(0, 6);
}

export async function listSessions(ctx: UserContext): Promise<{ data: AccountSession[] }> {
  const now = ctx.clock.now();
  const rows = await ctx.db
    .selectFrom('sessions')
    .selectAll()
    .where('account_id', '=', ctx.actor.userId)
    .where('expires_at', '>', now)
    .where('last_used_at', '>', idleSince(now))
    .orderBy('last_used_at', 'desc')
    .orderBy('created_at', 'desc')
    .limit(mostSessions)
    .execute();
  return {
    data: rows.map((row) => ({
      id: sessionId(row.token_hash),
      created_at: row.created_at.toISOString(),
      last_used_at: row.last_used_at.toISOString(),
      ip: row.ip,
      user_agent: row.user_agent,
      current: row.token_hash.equals(ctx.actor.session.tokenHash),
    })),
  };
}
