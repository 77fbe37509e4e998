import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { maxCountedDays } from '#contracts/segments.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { countFollowed } from '#server/modules/audience/membership/index.ts';
import { narrowedTo } from '#server/scope.ts';
import { segmentSource } from './following/segment-source.ts';

const dayMs = 86_400_000;
/** Of the growth that a list is sorted by. */
const shownDays = 30;
const dayOf = (at: Date) => at.toISOString().slice(0, 10);
const daysBefore = (now: Date, days: number) => dayOf(new Date(now.getTime() - days * dayMs));

/** Notes how many are in each segment that is followed, once a day, and removes what is older than is shown. */
export async function noteDailyCounts(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  await countFollowed(ctx, segmentSource.name, async (accountId, counts) => {
    // Segments that are gone meanwhile have none.
    await sql`
      with held as materialized (
        select id from segments
         where account_id = ${accountId} and id = any(${counts.map(({ sourceId }) => sourceId)}::bigint[]) and not is_own
         order by id for key share
      )
      insert into segment_counts as c (account_id, segment_id, day, people)
      select ${accountId}::bigint, held.id, ${dayOf(now)}::date, x.people
        from unnest(${counts.map(({ sourceId }) => sourceId)}::bigint[],
                    ${counts.map(({ people }) => people)}::bigint[]) as x (segment_id, people)
        join held on held.id = x.segment_id
      on conflict (account_id, segment_id, day) do update set people = excluded.people
    `.execute(ctx.db);
  });
  // account-wide: what is old is old for all.
  await sql`delete from segment_counts where day < ${daysBefore(now, maxCountedDays)}::date`.execute(ctx.db);
}

type DailyCounts = Map<number, { day: string; count: number }[]>;

/** Of `days` before today and of today, the oldest first. They are of all people: a narrowed member is told none. */
export async function readDailyCounts(
  ctx: AccountContext,
  { segmentIds, days }: { segmentIds: readonly number[]; days: number },
): Promise<DailyCounts> {
  if (days === 0 || narrowedTo(ctx) !== null) return new Map();
  const { rows } = await sql<{ segment_id: number; day: string; count: number }>`
    select segment_id, to_char(day, 'YYYY-MM-DD') as day, people as count from segment_counts
     where account_id = ${ctx.account.id} and segment_id = any(${segmentIds}::bigint[])
       and day >= ${daysBefore(ctx.clock.now(), days)}::date
     order by segment_id, day
  `.execute(ctx.db);
  const bySegment = Map.groupBy(rows, ({ segment_id: id }) => id);
  return new Map([...bySegment].map(([id, counted]) => [id, counted.map(({ day, count }) => ({ day, count }))]));
}

/** Over rows `s` of segments: how many more were in each when it was counted last than in its first count of 30 days. */
export function growthOf(ctx: AccountContext): RawBuilder<number> {
  if (narrowedTo(ctx) !== null) return sql`0::bigint`;
  const counted = sql`segment_counts c where c.account_id = ${ctx.account.id} and c.segment_id = s.id
    and c.day >= ${daysBefore(ctx.clock.now(), shownDays)}::date`;
  return sql`coalesce((select c.people from ${counted} order by c.day desc limit 1)
    - (select c.people from ${counted} order by c.day limit 1), 0)::bigint`;
}

/** Under another condition the earlier counts are of other people. */
export const forgetDailyCounts = (accountId: number, segmentId: number): RawBuilder<unknown> => sql`
  delete from segment_counts where account_id = ${accountId} and segment_id = ${segmentId}`;
