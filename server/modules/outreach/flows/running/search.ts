import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { AccountContext, Context } from '#server/context.ts';
import { momentOf, questionOf, withinBounds, withinTime } from '#server/modules/audience/conditions/index.ts';
import type { Question } from '#server/modules/audience/conditions/index.ts';
import { findRules } from '#server/modules/audience/topics/index.ts';
import { skipReasonSql } from '#server/modules/outreach/recipients/index.ts';
import type { FlowRow } from '../tables.ts';
import { audienceOf, criteriaOfAudience } from './audience.ts';
import { frequencyCutoff } from './frequency-cutoff.ts';

/** The most profiles that one search finds. */
export const profilesPerSearch = 20_000;
const backgroundTimeoutMs = 60_000;

/**
 * Times by which changes are found come from the servers' clocks, and are there once their transaction has committed:
 * so much earlier than the oldest open one is searched again.
 */
const clocksDifferMs = 15_000;

/** The time up to which a delivery is long enough ago; `-infinity`: none ever is. */
export function cutoffOf({ frequency }: Pick<FlowRow, 'frequency'>, ctx: AccountContext): Date | '-infinity' {
  return frequencyCutoff(frequency, ctx.clock.now(), ctx.account.timezone) ?? '-infinity';
}

export type Search = {
  flow: FlowRow;
  /** Ids from the one after this on. */
  after: number;
  /** Up to this one; undefined: all. */
  until?: number | undefined;
  /** Somebody waits for it: everybody is looked at, and it takes its turn among other requests. */
  isByHand: boolean;
};

/**
 * Ids, in their order, of those who match and have not had the message within the frequency. After an earlier search
 * only those are looked at who may have come to match since, see `mayHaveEntered`.
 */
export async function findUntaken(ctx: AccountContext, { flow, after, until, isByHand }: Search): Promise<number[]> {
  const { account_id: accountId, id: flowId } = flow;
  const question = questionOf(await criteriaOfAudience(ctx, audienceOf(flow)));
  const { topic_id: topicId } = await findRules(ctx, { accountId, source: 'flow', sourceId: flowId });
  const moment = { ...momentOf(ctx), ...(flow.skip_before && { now: flow.skip_before }) };
  const isInSlice = (id: RawBuilder<unknown>) =>
    until === undefined ? sql`${id} > ${after}` : sql`${id} > ${after} and ${id} <= ${until}`;
  const isInReach = sql`profiles.account_id = ${accountId} and ${isInSlice(sql`profiles.id`)}`;
  const matches = sql`${isInReach}
                      and ${question.predicate(moment)} and ${skipReasonSql(topicId)} is null
                      ${flow.skip_before ? sql`and profiles.updated_at <= ${flow.skip_before}` : sql``}`;
  // A slice is read by its ids: with old statistics the planner may read the whole account by another index each time.
  const slice = sql`(select * from profiles where ${isInReach} order by profiles.id offset 0) as profiles`;
  const all = sql`select profiles.id from ${until === undefined ? sql`profiles` : slice} where ${matches}`;
  const entered = isByHand || flow.skip_before ? [] : mayHaveEntered(ctx, { flow, question, matches, topicId });
  // Without the fence the planner may walk all profiles by their ids in search of a few.
  const search = sql<{ id: number }>`
    select id
      from (${entered.length === 0 ? all : sql.join(entered, sql` union `)} offset 0) as matching
     where not exists (select from flow_profiles g
                        where g.account_id = ${accountId} and g.flow_id = ${flowId} and g.profile_id = matching.id
                          and ${isInSlice(sql`g.profile_id`)}
                          and g.last_at > ${cutoffOf(flow, ctx)}::timestamptz)
     order by id
     limit ${profilesPerSearch}
  `;
  const read = async ({ db }: AccountContext) => (await search.execute(db)).rows.map(({ id }) => id);
  return isByHand ? withinBounds(ctx, read) : withinTime(ctx, read, backgroundTimeoutMs);
}

type Entering = { flow: FlowRow; question: Question; matches: RawBuilder<unknown>; topicId: number | null };

/**
 * A query for each way in which a profile comes to match after the search at `searched_until`: it has changed; it has
 * opted in again, or to the flow's topic; time has changed the answer of a condition; the frequency lets it have the message again. Nothing
 * else lets anybody in. Empty where everybody is to be looked at.
 */
function mayHaveEntered(ctx: AccountContext, { flow, question, matches, topicId }: Entering): RawBuilder<unknown>[] {
  const { account_id: accountId, searched_until: since } = flow;
  if (since === null) return [];
  const changed = question.changedSince(since, momentOf(ctx));
  if (changed === undefined) return [];
  const cutoff = cutoffOf(flow, ctx);
  return [
    sql`select profiles.id from profiles where ${matches} and profiles.updated_at >= ${since}`,
    sql`select profiles.id
          from suppression_log l
          join profiles on profiles.account_id = l.account_id and phone_key(profiles.phone) = l.phone_key
         where l.account_id = ${accountId} and l.action = 'opted_in' and l.at >= ${since} and ${matches}`,
    ...(topicId === null
      ? []
      : [
          sql`select profiles.id
                from topic_consent_log l
                join profiles on profiles.account_id = l.account_id and phone_key(profiles.phone) = l.phone_key
               where l.account_id = ${accountId} and l.topic_id = ${topicId} and l.state = 'opted_in'
                 and l.noted_at >= ${since} and ${matches}`,
        ]),
    ...changed.map((hasChanged) => sql`select profiles.id from profiles where ${matches} and ${hasChanged}`),
    ...(cutoff === '-infinity' ? [] : [sql`select profiles.id from ${lapsedSql(flow, cutoff)} and ${matches}`]),
  ];
}

/** People who match, and whom the frequency lets have the message again by now. */
export async function findLapsed(ctx: AccountContext, flow: FlowRow, cutoff: Date): Promise<number[]> {
  const question = questionOf(await criteriaOfAudience(ctx, audienceOf(flow)));
  const { rows } = await sql<{ id: number }>`
    select profiles.id from ${lapsedSql(flow, cutoff)} and ${question.predicate(momentOf(ctx))}
     order by profiles.id limit ${profilesPerSearch}
  `.execute(ctx.db);
  return rows.map(({ id }) => id);
}

/** Guards, with their profiles, that lapsed after those that were looked at before. */
const lapsedSql = (flow: FlowRow, cutoff: Date) => sql`
  flow_profiles lapsed
  join profiles on profiles.account_id = lapsed.account_id and profiles.id = lapsed.profile_id
 where lapsed.account_id = ${flow.account_id} and lapsed.flow_id = ${flow.id}
   and lapsed.last_at > ${flow.searched_cutoff ?? '-infinity'}::timestamptz and lapsed.last_at <= ${cutoff}`;

/** All of them have been dealt with. */
export async function noteLapsed({ db }: Context, flow: FlowRow, cutoff: Date): Promise<void> {
  await sql`update flows set searched_cutoff = ${cutoff} where ${isUnchanged(flow)}`.execute(db);
}

/** The last of the next `size` profiles; undefined: fewer are left. */
export async function findSliceEnd(
  ctx: AccountContext,
  { after, size }: { after: number; size: number },
): Promise<number | undefined> {
  const end = await ctx.db
    .selectFrom('profiles')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', '>', after)
    .orderBy('id')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst();
  return end?.id;
}

/** The point up to which later searches may leave profiles out, once all that this search found has been dealt with. */
export type Searched = Pick<FlowRow, 'searched_until' | 'searched_cutoff'>;

/** Nobody has been looked at. */
export const unsearched = { searched_until: null, searched_cutoff: null, pass_after: null };

/**
 * A search that broke off goes on, and lets others leave out what it would have at its beginning. Of open transactions
 * it is not known yet what they change: the next search goes back to before the oldest.
 */
export async function beginSearch(ctx: AccountContext, flow: FlowRow): Promise<Searched> {
  if (flow.pass_after !== null) return { searched_until: flow.pass_until, searched_cutoff: flow.pass_cutoff };
  const now = ctx.clock.now();
  const { rows } = await sql<{ ageMs: number }>`
    select coalesce(max(extract(epoch from clock_timestamp() - xact_start)), 0)::float8 * 1000 as "ageMs"
      from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
  `.execute(ctx.db);
  const cutoff = cutoffOf(flow, ctx);
  return {
    searched_until: new Date(now.getTime() - Math.max(0, rows[0]?.ageMs ?? 0) - clocksDifferMs),
    searched_cutoff: cutoff === '-infinity' ? null : cutoff,
  };
}

/** Unless the flow was changed meanwhile so that everybody, or somebody again, is to be looked at. */
const isUnchanged = (flow: FlowRow) => sql`
  account_id = ${flow.account_id} and id = ${flow.id}
  and searched_until is not distinct from ${flow.searched_until}::timestamptz
  and pass_until is not distinct from ${flow.pass_until}::timestamptz
  and conditions = ${JSON.stringify(flow.conditions)}::jsonb and duration = ${JSON.stringify(flow.duration)}::jsonb
  and audience is not distinct from ${flow.audience && JSON.stringify(flow.audience)}::jsonb
  and frequency = ${JSON.stringify(flow.frequency)}::jsonb
  and skip_before is not distinct from ${flow.skip_before}::timestamptz and discard_until is null`;

/** Up to the profile `after` all have been dealt with, and the next turn goes on there. */
export async function noteSearching(
  ctx: Context,
  flow: FlowRow,
  { searched, after }: { searched: Searched; after: number },
): Promise<void> {
  await sql`
    update flows set pass_after = ${after}, pass_until = ${searched.searched_until}, pass_cutoff = ${searched.searched_cutoff}
     where ${isUnchanged(flow)}
  `.execute(ctx.db);
}

/** From then on the flow goes by the candidates of the watch. */
export async function noteSearched(
  ctx: Context,
  flow: FlowRow,
  { searched, watchId }: { searched: Searched; watchId: number | null },
): Promise<void> {
  await sql`
    update flows set searched_until = ${searched.searched_until}, searched_cutoff = ${searched.searched_cutoff},
           pass_after = null, pass_until = null, pass_cutoff = null, followed_as = ${watchId}
     where ${isUnchanged(flow)}
  `.execute(ctx.db);
}
