import type { Context } from '#server/context.ts';
import { idleSince } from './sessions.ts';

/** Longer than any window that attempts are counted over. */
const attemptsKeptMs = 86_400_000;

/** Clears away sessions and reset links that have ended, and attempts that no longer count. */
export async function removeExpiredSessions(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', now), where('last_used_at', '<=', idleSince(now))]))
    .execute();
  await ctx.db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
  await ctx.db
    .deleteFrom('sign_in_attempts')
    .where('last_failed_at', '<=', new Date(now.getTime() - attemptsKeptMs))
    .execute();
}
