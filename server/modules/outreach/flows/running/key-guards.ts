import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import type { FlowRow } from '../tables.ts';

/** The most guards that one transaction goes through. */
const guardsPerStep = 2_000;

/**
 * Gives some of the flow's guards the key of their person's number, which those that are older than the keys lack: of a
 * profile that is gone it is the number of its last delivery. Of several guards of one person the latest has the key.
 * Under the flow's lock. Answers whether more are left.
 */
export async function keySomeGuards(tx: Tx, flow: FlowRow): Promise<boolean> {
  const { account_id: accountId, id: flowId, guards_keyed_until: after } = flow;
  if (after === null) return false;
  const { rows } = await sql<{ until: number | null; count: number }>`
    with few as materialized (
      select profile_id, phone_key, last_at from flow_profiles
       where account_id = ${accountId} and flow_id = ${flowId} and profile_id > ${after}
       order by profile_id limit ${guardsPerStep}
    ), living as (
      select few.profile_id, few.last_at, p.phone
        from few left join profiles p on p.account_id = ${accountId} and p.id = few.profile_id
       where few.phone_key is null
    ), gone as (
      select distinct on (d.profile_id) d.profile_id, living.last_at, d.phone
        from living
        join flow_deliveries d on d.account_id = ${accountId} and d.flow_id = ${flowId} and d.profile_id = living.profile_id
       where living.phone is null
       order by d.profile_id, d.id desc
    ), keyed as (
      select distinct on (phone_key(phone)) profile_id, phone_key(phone) as phone_key
        from (select * from living where phone is not null union all select * from gone) as known
       order by phone_key(phone), last_at desc, profile_id
    ), saved as (
      update flow_profiles g set phone_key = keyed.phone_key
        from keyed
       where g.account_id = ${accountId} and g.flow_id = ${flowId} and g.profile_id = keyed.profile_id
         and not exists (select from flow_profiles other
                          where other.account_id = ${accountId} and other.flow_id = ${flowId}
                            and other.phone_key = keyed.phone_key)
    )
    select max(profile_id) as until, count(*) as count from few
  `.execute(tx.db);
  const isMoreLeft = rows[0]?.count === guardsPerStep;
  await tx.db
    .updateTable('flows')
    .set({ guards_keyed_until: isMoreLeft ? (rows[0]?.until ?? null) : null })
    .where('account_id', '=', accountId)
    .where('id', '=', flowId)
    .execute();
  return isMoreLeft;
}
