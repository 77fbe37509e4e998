import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { FairWork } from '#server/platform/fair-turns.ts';

/**
 * The campaigns of all accounts that have something to do, or will have in `withinMs`; those that wait for something
 * outside themselves only when asked.
 */
export async function findUnderWay(
  ctx: Context,
  { withWaiting, withinMs }: { withWaiting: boolean; withinMs: number },
): Promise<FairWork[]> {
  const until = new Date(ctx.clock.now().getTime() + withinMs);
  const { rows } = await sql<FairWork>`
    select account_id as "accountId", id from campaigns
     where status in ('scheduled', 'creating', 'running')
       and (status <> 'scheduled' or scheduled_at is null or scheduled_at <= ${until})
       and (waiting_for is null or ${withWaiting}::boolean)
    union
    select account_id, campaign_id from campaign_tallies
  `.execute(ctx.db);
  return rows;
}

export async function findOfAccount(ctx: Context, accountId: number): Promise<FairWork[]> {
  const rows = await ctx.db
    .selectFrom('campaigns')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', 'in', ['creating', 'running'])
    .execute();
  return rows.map(({ id }) => ({ accountId, id }));
}
