import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { FairWork } from '#server/platform/fair-turns.ts';

/** The runs of all accounts that have something to do; those that wait for something outside themselves only when asked. */
export async function findUnderWay(ctx: Context, { withWaiting }: { withWaiting: boolean }): Promise<FairWork[]> {
  const { rows } = await sql<FairWork>`
    select account_id as "accountId", id from bulk_runs
     where status = 'running' and (waiting_for is null or ${withWaiting}::boolean)
    union
    select account_id, bulk_run_id from bulk_run_tallies
  `.execute(ctx.db);
  return rows;
}

export async function findOfAccount(ctx: Context, accountId: number): Promise<FairWork[]> {
  const rows = await ctx.db
    .selectFrom('bulk_runs')
    .select('id')
    .where('account_id', '=', accountId)
    .where('status', '=', 'running')
    .execute();
  return rows.map(({ id }) => ({ accountId, id }));
}
