import { sql } from 'kysely';
import type { EndpointResponse } from '#contracts/endpoint.ts';
import { maxSegmentUses } from '#contracts/segments.ts';
import type { getSegmentUsage as contract, SegmentUse } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { inScope } from '#server/scope.ts';
import { segmentOfSegments } from './delete-segment.ts';
import { namesSegment } from './own-audience.ts';
import { getSegmentRow } from './queries.ts';

type Row = SegmentUse & { total: number };

/**
 * Segments, flows and campaigns that its deletion or its change concerns, as `deleteSegment` and what reacts to it have
 * it. A caller sees the flows and campaigns of the projects in their scope alone.
 */
export async function getSegmentUsage(
  ctx: AccountContext,
  { segmentId }: { segmentId: number },
): Promise<EndpointResponse<typeof contract>> {
  await getSegmentRow(ctx, segmentId);
  const accountId = ctx.account.id;
  const campaigns = sql`campaigns c
     where c.account_id = ${accountId} and ${inScope(ctx, 'c.project_id')}
       and (c.segment_id = ${segmentId} or ${namesSegment(sql`c.audience`, segmentId)})`;
  const isUnfinished = sql`c.status in ('scheduled', 'creating', 'running', 'paused')`;
  const { rows } = await sql<Row>`
    select type, id, name, status, when_deleted, count(*) over () as total from (
      select 1 as rank, 'segment' as type, s.id, s.name, null as status, 'refused' as when_deleted
        from segments s where ${segmentOfSegments(accountId, segmentId)}
      union all
      select 2, 'flow', f.id, f.name, case when f.is_active then 'active' else 'inactive' end, 'refused'
        from flows f
       where f.account_id = ${accountId} and ${inScope(ctx, 'f.project_id')} and ${namesSegment(sql`f.audience`, segmentId)}
      union all
      select 3, 'campaign', c.id, c.name, c.status,
             case when ${namesSegment(sql`c.audience`, segmentId)} then 'refused'
                  when c.status = 'running' or c.spread_from is not null then 'goes_on' else 'fails' end
        from ${campaigns} and ${isUnfinished}
    ) as used
    order by rank, id desc limit ${maxSegmentUses}
  `.execute(ctx.db);
  const { rows: finished } = await sql<{ count: number }>`
    select count(*)::int as count from ${campaigns} and not ${isUnfinished}
  `.execute(ctx.db);
  return {
    data: rows.map(({ type, id, name, status, when_deleted }) => ({ type, id, name, status, when_deleted })),
    total: rows[0]?.total ?? 0,
    finished_campaigns: finished[0]?.count ?? 0,
  };
}
