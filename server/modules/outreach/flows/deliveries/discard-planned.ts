import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { FlowRow } from '../tables.ts';

/** The most deliveries that one transaction deletes. */
const deliveriesPerStep = 2_000;

/**
 * Deletes some of the deliveries that were given up when the flow was switched off, and opens their guards; whoever
 * matches when it is on again is taken on anew. Under the flow's lock. Answers whether more are left.
 */
export async function discardSome(tx: Tx, flow: FlowRow): Promise<boolean> {
  if (flow.discard_until === null) return false;
  const { account_id: accountId, id: flowId } = flow;
  const { rows } = await sql<{ count: number }>`
    with given_up as (
      select id, profile_id from flow_deliveries
       where account_id = ${accountId} and flow_id = ${flowId} and status = 'waiting' and id <= ${flow.discard_until}
       order by id limit ${deliveriesPerStep}
    ), gone as (
      delete from flow_deliveries d using given_up
       where d.account_id = ${accountId} and d.flow_id = ${flowId} and d.id = given_up.id
    ), guards as (
      select g.profile_id from flow_profiles g join given_up using (profile_id)
       where g.account_id = ${accountId} and g.flow_id = ${flowId} and g.last_at = 'infinity'
       order by g.profile_id for update of g
    ), opened as (
      delete from flow_profiles g using guards
       where g.account_id = ${accountId} and g.flow_id = ${flowId} and g.profile_id = guards.profile_id
    )
    select count(*) as count from given_up
  `.execute(tx.db);
  const isMoreLeft = (rows[0]?.count ?? 0) === deliveriesPerStep;
  if (isMoreLeft) return true;
  const now = tx.clock.now();
  await sql`
    update flows set discard_until = null, searched_until = null, pass_after = null,
           next_run_at = case when is_active then least(next_run_at, ${now}) else next_run_at end
     where account_id = ${accountId} and id = ${flowId}
  `.execute(tx.db);
  return false;
}
