import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { EndpointResponse } from '#contracts/endpoint.ts';
import { maxSegmentUses, namedSegmentUses } from '#contracts/segments.ts';
import type {
  getSegmentUsage as contract,
  listSegmentUses as contractOfMany,
  SegmentUse,
  SegmentUser,
} from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { segmentOfSegments, segmentsOfSegments } from './delete-segment.ts';
import { namesSegment } from './own-audience.ts';
import { findSegmentRows, getSegmentRow } from './queries.ts';

const isUnfinished = sql`c.status in ('scheduled', 'creating', 'running', 'paused')`;

const campaignsOf = (ctx: AccountContext, segmentId: number | RawBuilder<number>) => sql`from campaigns c
  where c.account_id = ${ctx.account.id} and ${inScope(ctx, 'c.project_id')}
    and (c.segment_id = ${segmentId} or ${namesSegment(sql`c.audience`, segmentId)})`;

const flowsOf = (ctx: AccountContext, segmentId: RawBuilder<number>) => sql`from flows f
  where f.account_id = ${ctx.account.id} and ${inScope(ctx, 'f.project_id')}
    and ${namesSegment(sql`f.audience`, segmentId)}`;

/** Over rows `s` of segments, as `findUses` finds what goes by each. */
export function isUsedBy(ctx: AccountContext, user: SegmentUser): RawBuilder<boolean> {
  const id = sql.ref<number>('s.id');
  const users = {
    flow: sql<boolean>`exists (select ${flowsOf(ctx, id)})`,
    campaign: sql<boolean>`exists (select ${campaignsOf(ctx, id)} and ${isUnfinished})`,
    segment: sql<boolean>`s.id in (${segmentsOfSegments(ctx.account.id)})`,
  };
  if (user !== 'nowhere') return users[user];
  return sql`not (${users.flow} or ${users.campaign} or ${users.segment})`;
}

type Uses = { uses: SegmentUse[]; total: number };

/**
 * Segments, flows and campaigns that its deletion or its change concerns, as `deleteSegment` and what reacts to it have
 * it. A caller sees the flows and campaigns of the projects in their scope alone.
 */
async function findUses(ctx: AccountContext, segmentIds: readonly number[], most: number): Promise<Map<number, Uses>> {
  const accountId = ctx.account.id;
  const id = sql.ref<number>('x.segment_id');
  const { rows } = await sql<SegmentUse & { segment_id: number; total: number }>`
    select x.segment_id, used.* from unnest(${segmentIds}::bigint[]) as x (segment_id), lateral (
      select type, id, name, status, when_deleted, (count(*) over ())::int as total from (
        select 1 as rank, 'segment' as type, s.id, s.name, null as status, 'refused' as when_deleted
          from segments s where ${segmentOfSegments(accountId, id)}
        union all
        select 2, 'flow', f.id, f.name, case when f.is_active then 'active' else 'inactive' end, 'refused'
          ${flowsOf(ctx, id)}
        union all
        select 3, 'campaign', c.id, c.name, c.status,
               case when ${namesSegment(sql`c.audience`, id)} then 'refused'
                    when c.status = 'running' or c.spread_from is not null then 'goes_on' else 'fails' end
          ${campaignsOf(ctx, id)} and ${isUnfinished}
      ) as each_use
      order by rank, id desc limit ${most}
    ) as used
  `.execute(ctx.db);
  const found = new Map<number, Uses>();
  for (const { segment_id: segmentId, total, ...use } of rows) {
    const { uses } = found.get(segmentId) ?? { uses: [] };
    found.set(segmentId, { uses: [...uses, use], total });
  }
  return found;
}

const none: Uses = { uses: [], total: 0 };

export async function getSegmentUsage(
  ctx: AccountContext,
  { segmentId }: { segmentId: number },
): Promise<EndpointResponse<typeof contract>> {
  await getSegmentRow(ctx, segmentId);
  const { uses, total } = (await findUses(ctx, [segmentId], maxSegmentUses)).get(segmentId) ?? none;
  const { rows: finished } = await sql<{ count: number }>`
    select count(*)::int as count ${campaignsOf(ctx, segmentId)} and not ${isUnfinished}
  `.execute(ctx.db);
  return { data: uses, total, finished_campaigns: finished[0]?.count ?? 0 };
}

export async function listSegmentUses(
  ctx: AccountContext,
  { ids }: { ids: readonly number[] },
): Promise<EndpointResponse<typeof contractOfMany>> {
  const known = new Set((await findSegmentRows(ctx, ids)).map(({ id }) => id));
  const asked = [...new Set(ids)].filter((id) => known.has(id));
  const found = await findUses(ctx, asked, namedSegmentUses);
  return { data: asked.map((id) => ({ id, ...(found.get(id) ?? none) })) };
}
