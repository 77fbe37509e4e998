import type { Context } from '#server/context.ts';
import { keptSince } from '../security-events/list-security-events.ts';
import { idleSince } from './sessions.ts';
import { rememberedSince } from './sign-in-networks.ts';

/** Longer than any window that attempts are counted over. */
const attemptsKeptMs = 86_400_000;

/** Clears away sessions and links that have ended, attempts that no longer count, and what is kept for 90 days. */
export async function removeExpiredSessions(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db
    .deleteFrom('sessions')
    .where((where) => where.or([where('expires_at', '<=', now), where('last_used_at', '<=', idleSince(now))]))
    .execute();
  await ctx.db.deleteFrom('password_resets').where('expires_at', '<=', now).execute();
  await ctx.db.deleteFrom('email_links').where('expires_at', '<=', now).execute();
  await ctx.db.deleteFrom('sign_in_challenges').where('expires_at', '<=', now).execute();
  await ctx.db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
  await ctx.db.deleteFrom('remembered_devices').where('expires_at', '<=', now).execute();
  await ctx.db.deleteFrom('sign_in_networks').where('last_at', '<=', rememberedSince(now)).execute();
  await ctx.db.deleteFrom('security_events').where('at', '<=', keptSince(now)).execute();
  await ctx.db
    .deleteFrom('sign_in_attempts')
    .where('last_failed_at', '<=', new Date(now.getTime() - attemptsKeptMs))
    .execute();
}
