import type { SecurityEvent } from '#contracts/security-events.ts';
import type { AccountContext } from '#server/context.ts';

const keptMs = 90 * 86_400_000;
const most = 200;

/** Events before this are no longer shown, and deleted. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - keptMs);
}

export async function listSecurityEvents(ctx: AccountContext): Promise<{ data: SecurityEvent[] }> {
  const rows = await ctx.db
    .selectFrom('security_events')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('at', '>', keptSince(ctx.clock.now()))
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
  return {
    data: rows.map(({ id, type, at, ip, user_agent, detail }) => ({
      id,
      type,
      created_at: at.toISOString(),
      ip,
      user_agent,
      detail,
    })),
  };
}
