import { sql } from 'kysely';
import type { AccountContext } from '#server/context.ts';

const hourMs = 60 * 60_000;

/** Conversations of a phone with something unread, whose window shuts within the hour. */
export async function countUnreadShutting(ctx: AccountContext, phoneId: number): Promise<number> {
  const now = ctx.clock.now();
  const { rows } = await sql<{ unread: number }>`
    select count(*)::int as unread
      from contact_windows w
      join phones p on p.account_id = w.account_id and p.id = w.phone_id
      join conversations c on c.account_id = w.account_id and c.project_id = p.project_id and c.contact_key = w.contact_key
     where w.account_id = ${ctx.account.id} and w.phone_id = ${phoneId} and c.unread_count > 0
       and w.expires_at > ${now} and w.expires_at <= ${new Date(now.getTime() + hourMs)}
  `.execute(ctx.db);
  return rows[0]?.unread ?? 0;
}

/** The first answers of a phone's conversations, and how long people waited for them. */
export async function findFirstAnswers(
  ctx: AccountContext,
  { phoneId, since }: { phoneId: number; since: Date },
): Promise<{ count: number; median_seconds: number | null }> {
  const { rows } = await sql<{ count: number; median_seconds: number | null }>`
    select count(*)::int as count,
           round(percentile_cont(0.5) within group (order by extract(epoch from e.answered_at - e.opened_at)))::int
             as median_seconds
      from conversation_episodes e
      join conversations c on c.account_id = e.account_id and c.id = e.conversation_id
     where e.account_id = ${ctx.account.id} and e.answered_at >= ${since} and c.phone_id = ${phoneId}
  `.execute(ctx.db);
  return rows[0] ?? { count: 0, median_seconds: null };
}
