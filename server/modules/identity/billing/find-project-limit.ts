import { sql } from 'kysely';
import type { Context } from '#server/context.ts';

/**
 * How many projects an account may have: the most generous of the plans that it has access by, without any the smallest
 * there is, or what an operator lets all accounts have, or this one, where that is more.
 */
export async function findProjectLimit(ctx: Context, accountId: number): Promise<number> {
  const { rows } = await sql<{ projects: number }>`
    select greatest(
             (select project_limit from accounts where id = ${accountId}),
             coalesce(
               (select max(p.project_limit) from subscriptions s join plans p on p.id = s.plan_id
                 where s.account_id = ${accountId} and s.status in ('active', 'past_due', 'cancelled')),
               (select min(project_limit) from plans))) as projects
  `.execute(ctx.db);
  return Math.max(rows[0]?.projects ?? 0, ctx.config.projectLimit);
}
