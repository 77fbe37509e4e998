import type { SecurityEvent } from '#contracts/security-events.ts';
import type { AccountContext } from '#server/context.ts';

const keptMs = 90 * 86_400_000;
const pageSize = 50;

/** Events before this are no longer shown, and deleted. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - keptMs);
}

export async function listSecurityEvents(
  ctx: AccountContext,
  { after }: { after?: string | undefined },
): Promise<{ data: SecurityEvent[]; next_cursor: string | null }> {
  const rows = await ctx.db
    .selectFrom('security_events')
    .selectAll()
    .where('account_id', '=', ctx.account.id)
    .where('at', '>', keptSince(ctx.clock.now()))
    .$if(after !== undefined, (query) => query.where('id', '<', Number(after)))
    .orderBy('id', 'desc')
    .limit(pageSize + 1)
    .execute();
  const data = rows.slice(0, pageSize).map((row) => ({
    id: row.id,
    type: row.type,
    created_at: row.at.toISOString(),
    ip: row.ip,
    user_agent: row.user_agent,
    detail: row.detail,
    repeats: row.repeats,
    last_at: row.last_at?.toISOString() ?? null,
  }));
  return { data, next_cursor: rows.length > pageSize ? String(data.at(-1)?.id) : null };
}
