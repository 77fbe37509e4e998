import { sql } from 'kysely';
import type { AccountContext, Context, Tx } from '#server/context.ts';
import { findBuilt } from '#server/modules/audience/membership/index.ts';
import type { Found } from '#server/modules/audience/membership/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { flowNotification } from '../channels.ts';
import type { FlowRow } from '../tables.ts';
import { audienceOf, criteriaOfAudience } from './audience.ts';

/**
 * How long a flow goes by its candidates alone: then it searches once what has changed since the last time, since
 * processes of an earlier version change people and queue nobody.
 */
const searchedAgainMs = 10 * 60_000;

/** The watch that finds the flow's candidates, as its audience reads now; null: there is none yet, or no longer. */
export async function findWatch(ctx: AccountContext, flow: FlowRow): Promise<number | null> {
  if (!flow.is_active) return null;
  const criteria = await criteriaOfAudience(ctx, audienceOf(flow));
  return findBuilt(ctx, { source: 'flow', sourceId: flow.id, criteria });
}

/** Whether all who may have come to match since the last search are candidates. */
export function goesByCandidates(ctx: Context, flow: FlowRow, watchId: number | null): boolean {
  const { followed_as: followedAs, pass_after: passAfter, searched_until: searchedUntil } = flow;
  if (watchId === null || followedAs !== watchId || passAfter !== null || searchedUntil === null) return false;
  return ctx.clock.now().getTime() - searchedUntil.getTime() < searchedAgainMs;
}

/** Of active flows, in the transaction that takes the people from the queue. People who had the message once and for all are left out. */
export async function noteCandidates(tx: Tx<AccountContext>, found: readonly Found[], at: Date): Promise<void> {
  const accountId = tx.account.id;
  const { rows } = await sql<{ id: number }>`
    with met as materialized (
      select f.id, x.profile_id
        from unnest(${found.map(({ sourceId }) => sourceId)}::bigint[],
                    ${found.map(({ profileId }) => profileId)}::bigint[]) as x (flow_id, profile_id)
        join flows f on f.account_id = ${accountId} and f.id = x.flow_id and f.is_active
       where f.frequency ->> 'type' <> 'lifetime'
          or not exists (select from flow_profiles g
                          where g.account_id = ${accountId} and g.flow_id = f.id and g.profile_id = x.profile_id
                            and g.last_at < 'infinity')
    ), noted as (
      insert into flow_candidates (account_id, flow_id, profile_id, at)
      select ${accountId}::bigint, id, profile_id, ${at}::timestamptz from met
      returning flow_id
    )
    select distinct flow_id as id from noted
  `.execute(tx.db);
  await notify(
    tx.db,
    rows.map(({ id: flowId }) => flowNotification({ kind: 'found', accountId, flowId })),
  );
}

/** People in the order in which they were found: `until` is the last of them, `at` the latest moment. */
export type Candidates = { profileIds: readonly number[]; until: number; at: Date };

export async function findCandidates(
  ctx: AccountContext,
  flow: FlowRow,
  most: number,
): Promise<Candidates | undefined> {
  const rows = await ctx.db
    .selectFrom('flow_candidates')
    .select(['id', 'profile_id', 'at'])
    .where('account_id', '=', flow.account_id)
    .where('flow_id', '=', flow.id)
    .orderBy('id')
    .limit(most)
    .execute();
  const last = rows.at(-1);
  if (!last) return undefined;
  const profileIds = [...new Set(rows.map(({ profile_id: id }) => id))].toSorted((a, b) => a - b);
  return { profileIds, until: last.id, at: new Date(Math.max(...rows.map(({ at }) => at.getTime()))) };
}

/** None that commits later is among them, since the batches of an account exclude each other. */
export async function dropCandidates({ db }: Context, flow: FlowRow, until?: number): Promise<void> {
  await db
    .deleteFrom('flow_candidates')
    .where('account_id', '=', flow.account_id)
    .where('flow_id', '=', flow.id)
    .$if(until !== undefined, (query) => query.where('id', '<=', until ?? 0))
    .execute();
}
