import { sql } from 'kysely';
import type { AccountContext, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { followAudiences } from '#server/modules/audience/membership/index.ts';
import { inReachOf } from '#server/modules/audience/profiles/index.ts';
import { findRules } from '#server/modules/audience/topics/index.ts';
import { skipReasonSql } from '#server/modules/outreach/recipients/index.ts';
import { discardSome } from '../deliveries/discard-planned.ts';
import { firstSliceSize, nextSliceSize } from '#server/platform/slice-size.ts';
import type { FlowRow } from '../tables.ts';
import { findFlowRow, lockFlow, saveFlow } from '../queries.ts';
import { momentOf } from '#server/modules/audience/conditions/index.ts';
import { audienceOf, audiencePredicate } from './audience.ts';
import { dropCandidates, findCandidates, findWatch, goesByCandidates } from './candidates.ts';
import type { Candidates } from './candidates.ts';
import { keySomeGuards } from './key-guards.ts';
import { compareWithShadow } from './shadow.ts';
import {
  beginSearch,
  cutoffOf,
  findLapsed,
  findSliceEnd,
  findUntaken,
  noteLapsed,
  noteSearched,
  noteSearching,
  profilesPerSearch,
} from './search.ts';
import type { Searched } from './search.ts';

export type Run = {
  flowId: number;
  /** Somebody waits for it: it runs whether active or not, and takes its turn among other requests. */
  isByHand: boolean;
  /** Asked after each step; true ends the run, and what is left is for another. */
  mustStop(): boolean;
  /** How many profiles the first slice of a search through all of them goes through. */
  sliceSize?: number;
};

/** `isComplete`: whoever matched when the run began has been dealt with. */
export type RunResult = { queued: number; isComplete: boolean };

/**
 * The most profiles that one transaction takes on: short enough that news of the flow's messages hardly wait for its
 * lock.
 */
const profilesPerStep = 500;

/**
 * Plans a delivery for every profile that matches and has not had the message within the frequency. Invalid numbers and
 * people who opted out are passed over and leave no trace, so that they get it once that has been put right. May run
 * any number of times at once and break off anywhere: what it has planned is committed step by step, and every run
 * takes at least one step.
 */
export async function takeProfiles(ctx: AccountContext, run: Run): Promise<RunResult> {
  const flow = await findFlowRow(ctx, run.flowId);
  if (!flow || !mayRun(flow, run)) return { queued: 0, isComplete: true };
  // Guards of what was given up are still closed, and nobody has been asked of the rest.
  if (flow.discard_until !== null) return discardFirst(ctx, run);
  if (flow.guards_keyed_until !== null) return keyGuardsFirst(ctx, run);
  if (flow.skip_before !== null) return skipCurrent(ctx, run, flow);
  if (run.isByHand) return takeFound(ctx, run, { flow, searched: await beginSearch(ctx, flow) });
  // Known before a search begins, so that it finds whoever its candidates leave out.
  const watchId = await findWatch(ctx, flow);
  const found = await takeCandidates(ctx, run, flow);
  if (!found.isComplete) return found;
  const isFollowed = goesByCandidates(ctx, flow, watchId);
  const rest = isFollowed ? await takeLapsed(ctx, run, flow) : await searchAndNote(ctx, run, { flow, watchId });
  return { queued: found.queued + rest.queued, isComplete: rest.isComplete };
}

/** Takes on people who were found by their changes and by their timers. Of the same step whoever is taken is no candidate any more. */
async function takeCandidates(ctx: AccountContext, run: Run, flow: FlowRow): Promise<RunResult> {
  for (let queued = 0; ;) {
    const candidates = await findCandidates(ctx, flow, profilesPerStep);
    if (!candidates) return { queued, isComplete: true };
    const taken = await takeStep(ctx, run, candidates);
    if (taken === undefined) return { queued, isComplete: true };
    queued += taken;
    if (run.mustStop()) return { queued, isComplete: false };
  }
}

/** Takes on people whom the frequency has come to let have the message again. */
async function takeLapsed(ctx: AccountContext, run: Run, flow: FlowRow): Promise<RunResult> {
  const cutoff = cutoffOf(flow, ctx);
  if (cutoff === '-infinity') return { queued: 0, isComplete: true };
  const lapsed = await findLapsed(ctx, flow, cutoff);
  const isLast = lapsed.length < profilesPerSearch;
  const { queued, isComplete } = await takeSteps(ctx, run, { profileIds: lapsed, isLast });
  if (isComplete) await noteLapsed(ctx, flow, cutoff);
  return { queued, isComplete };
}

async function searchAndNote(
  ctx: AccountContext,
  run: Run,
  { flow, watchId }: { flow: FlowRow; watchId: number | null },
): Promise<RunResult> {
  const searched = await beginSearch(ctx, flow);
  const result = await takeFound(ctx, run, { flow, searched });
  if (!result.isComplete) return result;
  // A search of several turns has looked at some before there was a watch.
  await noteSearched(ctx, flow, { searched, watchId: flow.pass_after === null ? watchId : null });
  if (watchId === null && flow.is_active) await followAudiences(ctx, flow.account_id);
  if (ctx.config.hasShadowEvaluator) await compareWithShadow(ctx, flow);
  return result;
}

async function discardFirst(ctx: AccountContext, run: Run): Promise<RunResult> {
  const isMoreLeft = await inTransaction(ctx, async (tx) => {
    const flow = await lockFlow(tx, run.flowId);
    return flow !== undefined && discardSome(tx, flow);
  });
  if (isMoreLeft && run.mustStop()) return { queued: 0, isComplete: false };
  return takeProfiles(ctx, run);
}

/** A person may have another profile by now: without the keys nobody knows who has had the message. */
async function keyGuardsFirst(ctx: AccountContext, run: Run): Promise<RunResult> {
  const isMoreLeft = await inTransaction(ctx, async (tx) => {
    const flow = await lockFlow(tx, run.flowId);
    return flow !== undefined && keySomeGuards(tx, flow);
  });
  if (isMoreLeft && run.mustStop()) return { queued: 0, isComplete: false };
  return takeProfiles(ctx, run);
}

/** Marks profiles that matched when the flow was switched on as having had the message. */
async function skipCurrent(ctx: AccountContext, run: Run, flow: FlowRow): Promise<RunResult> {
  const searched = { searched_until: null, searched_cutoff: null };
  const result = await takeFound(ctx, run, { flow, searched });
  if (!result.isComplete) return result;
  await ctx.db
    .updateTable('flows')
    .set({ skip_before: null, searched_until: null, pass_after: null })
    .where('account_id', '=', flow.account_id)
    .where('id', '=', flow.id)
    .where('skip_before', '=', flow.skip_before)
    .execute();
  return run.mustStop() ? { queued: 0, isComplete: false } : takeProfiles(ctx, run);
}

type Pass = { flow: FlowRow; searched: Searched };

/**
 * Everybody is looked at in slices, in the order of ids, and so are changes that are more than one search brings. A run
 * that is broken off goes on where it was.
 */
async function takeFound(ctx: AccountContext, run: Run, { flow, searched }: Pass): Promise<RunResult> {
  const { isByHand } = run;
  const isWhole = flow.searched_until === null || flow.skip_before !== null;
  let queued = 0;
  let size = run.sliceSize ?? firstSliceSize;
  let after = isByHand ? 0 : (flow.pass_after ?? 0);
  for (;;) {
    const isSliced = !isByHand && (isWhole || after > 0);
    const startedAt = performance.now();
    const until = isSliced ? await findSliceEnd(ctx, { after, size }) : undefined;
    const found = await findUntaken(ctx, { flow, after, until, isByHand });
    const isAll = found.length < profilesPerSearch;
    if (isAll) size = nextSliceSize(size, performance.now() - startedAt);
    const taken = await takeSteps(ctx, run, { profileIds: found, isLast: isAll && until === undefined });
    queued += taken.queued;
    if (taken.isComplete) return { queued, isComplete: true };
    after = taken.after ?? (isAll ? until : found.at(-1)) ?? after;
    if (taken.after === undefined && !run.mustStop()) continue;
    if (!isByHand) await noteSearching(ctx, flow, { searched, after });
    return { queued, isComplete: false };
  }
}

type Steps = { profileIds: readonly number[]; isLast: boolean };

/** `isComplete`: nobody is left, or the flow may not run any more; `after`: broken off after this profile. */
async function takeSteps(
  ctx: AccountContext,
  run: Run,
  { profileIds, isLast }: Steps,
): Promise<{ queued: number; isComplete: boolean; after?: number | undefined }> {
  let queued = 0;
  for (let start = 0; start < profileIds.length; start += profilesPerStep) {
    const step = profileIds.slice(start, start + profilesPerStep);
    const taken = await takeStep(ctx, run, { profileIds: step });
    if (taken === undefined) return { queued, isComplete: true };
    queued += taken;
    const isEnd = start + profilesPerStep >= profileIds.length;
    if (!isEnd && run.mustStop()) return { queued, isComplete: false, after: step.at(-1) };
  }
  return { queued, isComplete: isLast };
}

/** Candidates among them go with it, and are asked at the moment of which they were found, where that is later. */
type Step = { profileIds: readonly number[] } & Partial<Candidates>;

/**
 * Takes on those of the profiles that still match, in one transaction and under the flow's lock: the frequency's guard
 * and the delivery are there together or not at all. Undefined when the flow was deleted or switched off.
 */
async function takeStep(ctx: AccountContext, run: Run, step: Step): Promise<number | undefined> {
  return inTransaction(ctx, async (tx) => {
    const flow = await lockFlow(tx, run.flowId);
    if (!flow || !mayRun(flow, run)) return undefined;
    const taken = await insertTaken(tx, flow, step);
    if (step.until !== undefined) await dropCandidates(tx, flow, step.until);
    if (taken === 0) return 0;
    const now = tx.clock.now();
    await saveFlow(tx, flow, { waiting_count: flow.waiting_count + taken, next_feed_at: now });
    await publishLive(tx, flow.account_id, { type: 'flows.changed', flow_id: flow.id });
    return taken;
  });
}

/** An inactive flow has a next run while one that was started by hand goes on. */
const mayRun = (flow: FlowRow, { isByHand }: Run) => isByHand || flow.is_active || flow.next_run_at !== null;

type Untaken = { id: number; phone: string; phone_key: string };

async function insertTaken(tx: Tx<AccountContext>, flow: FlowRow, step: Step): Promise<number> {
  const { account_id: accountId, id: flowId, skip_before: skipBefore } = flow;
  const now = tx.clock.now();
  const cutoff = cutoffOf(flow, tx);
  const untaken = await findMatching(tx, flow, step);
  if (untaken.length === 0) return 0;
  const given = sql`unnest(${untaken.map(({ id }) => id)}::bigint[], ${untaken.map(({ phone }) => phone)}::text[],
                           ${untaken.map((profile) => profile.phone_key)}::text[]) as x (id, phone, phone_key)`;
  const guardOfAnother = sql`
    g.account_id = ${accountId} and g.flow_id = ${flowId} and g.phone_key = x.phone_key and g.profile_id <> x.id`;
  if (cutoff !== '-infinity') {
    // A guard that has lapsed makes way for the profile that the phone has today.
    await sql`
      delete from flow_profiles g using ${given} where ${guardOfAnother} and g.last_at <= ${cutoff}
    `.execute(tx.db);
  }
  const { rows } = await sql<{ count: number }>`
    with x as (select * from ${given}
    ), taken as (
      insert into flow_profiles as g (account_id, flow_id, profile_id, last_at, phone_key)
      select ${accountId}, ${flowId}, id, ${skipBefore ?? 'infinity'}::timestamptz, phone_key from x
       where not exists (select from flow_profiles g where ${guardOfAnother})
       order by id
      on conflict (account_id, flow_id, profile_id) do update
        set last_at = excluded.last_at, phone_key = excluded.phone_key where g.last_at <= ${cutoff}::timestamptz
      returning profile_id
    ), planned as (
      insert into flow_deliveries (account_id, flow_id, profile_id, project_id, phone, status, created_at)
      select ${accountId}, ${flowId}, x.id, ${flow.project_id}, x.phone, 'waiting', ${now}
        from x join taken on taken.profile_id = x.id
       where ${skipBefore}::timestamptz is null
       order by x.id
      returning profile_id
    )
    select count(*) as count from planned
  `.execute(tx.db);
  return rows[0]?.count ?? 0;
}

/**
 * Of several profiles with one phone only one: that which has the guard, else the oldest. Each is looked up by its key
 * alone and judged then: a range in the order of ids is read by the key whatever the statistics say, while for equality
 * the planner may take any index of the account, and read the whole of it for each profile.
 */
async function findMatching(tx: Tx<AccountContext>, flow: FlowRow, { profileIds, at }: Step): Promise<Untaken[]> {
  const { account_id: accountId, id: flowId, skip_before: skipBefore } = flow;
  const now = momentOf(tx).now;
  const moment = { ...momentOf(tx), now: skipBefore ?? (at && at > now ? at : now) };
  const matches = await audiencePredicate(tx, audienceOf(flow), moment);
  const { topic_id: topicId } = await findRules(tx, { accountId, source: 'flow', sourceId: flowId });
  const { rows } = await sql<Untaken>`
    select distinct on (phone_key) id, phone, phone_key
      from unnest(${profileIds}::bigint[]) as found (profile_id)
     cross join lateral (
       select profiles.id, profiles.phone, phone_key(profiles.phone) as phone_key
         from (select * from profiles
               where account_id = ${accountId} and id between found.profile_id and found.profile_id
               order by id
               limit 1) as profiles
        where ${matches} and ${inReachOf(accountId, flow.audience_project_ids)} and ${skipReasonSql(topicId)} is null
        limit 1
     ) as matching
      left join (select profile_id, last_at from flow_profiles
                  where account_id = ${accountId} and flow_id = ${flowId} and profile_id = any(${profileIds}::bigint[]))
             as guards on guards.profile_id = matching.id
     where guards.profile_id is null or guards.last_at <= ${cutoffOf(flow, tx)}::timestamptz
     order by phone_key, guards.profile_id is null, id
  `.execute(tx.db);
  return rows;
}
