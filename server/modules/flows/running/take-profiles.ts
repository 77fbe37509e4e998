import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { withinBounds, withinTime } from '#server/modules/conditions/index.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { skipReasonSql } from '#server/modules/recipients/index.ts';
import { audiencePredicate } from './audience.ts';
import { frequencyCutoff } from './frequency-cutoff.ts';
import type { FlowRow } from '../present.ts';
import { findFlowRow, lockFlow, saveFlow } from '../queries.ts';

export type Run = {
  flowId: number;
  /** Somebody waits for it: it runs whether active or not, and takes its turn among other requests. */
  isByHand: boolean;
  /** Asked before each step; true ends the run, and what is left is for another. */
  mustStop(): boolean;
};

/** `isComplete`: whoever matched when the run began has been dealt with. */
export type RunResult = { queued: number; isComplete: boolean };

/** What one transaction takes on: short enough that news of the flow's messages hardly wait for its lock. */
const profilesPerStep = 2_000;
/** What one search through the profiles brings at the most. */
const profilesPerSearch = 20_000;

const backgroundTimeoutMs = 60_000;

/**
 * Plans a delivery for every profile that matches and has not had the message within the frequency. Invalid numbers and
 * people who opted out are passed over and leave no trace, so that they get it once that has been put right. May run
 * any number of times at once and break off anywhere: what it has planned is committed step by step.
 */
export async function takeProfiles(ctx: AccountContext, run: Run): Promise<RunResult> {
  let queued = 0;
  let after = 0;
  for (;;) {
    if (run.mustStop()) return { queued, isComplete: false };
    const flow = await findFlowRow(ctx, run.flowId);
    if (!flow || !mayRun(flow, run)) return { queued, isComplete: true };
    const found = await findUntaken(ctx, { flow, after, isByHand: run.isByHand });
    for (let start = 0; start < found.length; start += profilesPerStep) {
      if (run.mustStop()) return { queued, isComplete: false };
      const taken = await takeStep(ctx, run, found.slice(start, start + profilesPerStep));
      if (taken === undefined) return { queued, isComplete: true };
      queued += taken;
    }
    if (found.length < profilesPerSearch) return { queued, isComplete: true };
    after = found.at(-1) ?? after;
  }
}

/** The time up to which a delivery is long enough ago; `-infinity`: none ever is. */
function cutoffOf({ frequency }: FlowRow, ctx: AccountContext): Date | '-infinity' {
  return frequencyCutoff(frequency, ctx.clock.now(), ctx.account.timezone) ?? '-infinity';
}

type Search = { flow: FlowRow; after: number; isByHand: boolean };

/** Ids in their order, from the one after `after` on. */
async function findUntaken(ctx: AccountContext, { flow, after, isByHand }: Search): Promise<number[]> {
  const { account_id: accountId, id: flowId } = flow;
  // Without the fence the planner may walk all profiles by their ids in search of a few.
  const search = sql<{ id: number }>`
    select id
      from (select id from profiles
             where profiles.account_id = ${accountId} and profiles.id > ${after}
               and ${audiencePredicate(flow, ctx.clock.now())} and ${skipReasonSql} is null
            offset 0) as matching
     where not exists (select from flow_profiles g
                        where g.account_id = ${accountId} and g.flow_id = ${flowId} and g.profile_id = matching.id
                          and g.last_at > ${cutoffOf(flow, ctx)}::timestamptz)
     order by id
     limit ${profilesPerSearch}
  `;
  const read = async ({ db }: AccountContext) => (await search.execute(db)).rows.map(({ id }) => id);
  return isByHand ? withinBounds(ctx, read) : withinTime(ctx, read, backgroundTimeoutMs);
}

/**
 * Takes on those of the profiles that still match, in one transaction and under the flow's lock: the frequency's guard
 * and the delivery are there together or not at all. Undefined when the flow was deleted or switched off.
 */
async function takeStep(ctx: AccountContext, run: Run, profileIds: readonly number[]): Promise<number | undefined> {
  return inTransaction(ctx, async (tx) => {
    const flow = await lockFlow(tx, run.flowId);
    if (!flow || !mayRun(flow, run)) return undefined;
    const taken = await insertTaken(tx, flow, profileIds);
    if (taken === 0) return 0;
    const now = tx.clock.now();
    await saveFlow(tx, flow, { waiting_count: flow.waiting_count + taken, next_feed_at: now });
    await publishLive(tx, flow.account_id, { type: 'flows.changed', flow_id: flow.id });
    return taken;
  });
}

/** An inactive flow has a next run while one that was started by hand goes on. */
const mayRun = (flow: FlowRow, { isByHand }: Run) => isByHand || flow.is_active || flow.next_run_at !== null;

async function insertTaken(tx: Tx<AccountContext>, flow: FlowRow, profileIds: readonly number[]): Promise<number> {
  const { account_id: accountId, id: flowId } = flow;
  const now = tx.clock.now();
  const { rows } = await sql<{ count: number }>`
    with untaken as (
      select profiles.id, profiles.phone from profiles
       where profiles.account_id = ${accountId} and profiles.id = any(${profileIds}::bigint[])
         and ${audiencePredicate(flow, now)} and ${skipReasonSql} is null
    ), taken as (
      insert into flow_profiles as g (account_id, flow_id, profile_id, last_at)
      select ${accountId}, ${flowId}, id, 'infinity' from untaken order by id
      on conflict (account_id, flow_id, profile_id) do update
        set last_at = 'infinity' where g.last_at <= ${cutoffOf(flow, tx)}::timestamptz
      returning profile_id
    ), planned as (
      insert into flow_deliveries (account_id, flow_id, profile_id, project_id, phone, status, created_at)
      select ${accountId}, ${flowId}, untaken.id, ${flow.project_id}, untaken.phone, 'waiting', ${now}
        from untaken join taken on taken.profile_id = untaken.id order by untaken.id
      returning profile_id
    )
    select count(*) as count from planned
  `.execute(tx.db);
  return rows[0]?.count ?? 0;
}
