import { accountEventTypes, personalEventTypes } from '#contracts/security-events.ts';
import type { SecurityEvent } from '#contracts/security-events.ts';
import { isPermitted } from '#server/actor.ts';
import type { UserContext } from '#server/context.ts';

const keptMs = 90 * 86_400_000;
const pageSize = 50;

/** Events before this are no longer shown, and deleted. */
export function keptSince(now: Date): Date {
  return new Date(now.getTime() - keptMs);
}

/** The person's own, and those of the account for members who look after it and see all its projects. */
export async function listSecurityEvents(
  ctx: UserContext,
  { after }: { after?: string | undefined },
): Promise<{ data: SecurityEvent[]; next_cursor: string | null }> {
  const { userId, projectIds } = ctx.actor;
  const seesAccount = projectIds === null && isPermitted(ctx.actor, 'account:write');
  const rows = await ctx.db
    .selectFrom('security_events')
    .selectAll()
    .where(({ and, eb, or }) =>
      or([
        and([eb('account_id', '=', userId), eb('type', 'in', personalEventTypes)]),
        ...(seesAccount ? [and([eb('account_id', '=', ctx.account.id), eb('type', 'in', accountEventTypes)])] : []),
      ]),
    )
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
