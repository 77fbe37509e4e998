import type { EndpointResponse } from '#contracts/endpoint.ts';
import type { countSegments as contract } from '#contracts/segments.ts';
import { TooCostlyError } from '#server/admission.ts';
import type { AccountContext } from '#server/context.ts';
import { countOrEstimate } from '#server/modules/audience/conditions/index.ts';
import { criteriaOfSegment } from './criteria.ts';
import { readDailyCounts } from './daily-counts.ts';
import { findSegmentRows } from './queries.ts';
import type { SegmentRow } from './tables.ts';

/** For all segments of a request; the ones after it are not counted. */
const patienceMs = 10_000;

/** Segments are counted one after the other, so that a page of them takes no more of the database than one of them does. */
export async function countSegments(
  ctx: AccountContext,
  { ids, days }: { ids: readonly number[]; days: number },
): Promise<EndpointResponse<typeof contract>> {
  const rows = new Map((await findSegmentRows(ctx, ids)).map((row) => [row.id, row]));
  const earlier = await readDailyCounts(ctx, { segmentIds: [...rows.keys()], days });
  const deadline = ctx.clock.now().getTime() + patienceMs;
  const data: EndpointResponse<typeof contract>['data'] = [];
  for (const id of new Set(ids)) {
    const row = rows.get(id);
    if (row === undefined) continue;
    const now = ctx.clock.now();
    const { count, is_estimate } = now.getTime() > deadline ? notCounted : await countOrNone(ctx, row);
    const countedAt = count === null ? null : now.toISOString();
    data.push({ id, count, is_estimate, counted_at: countedAt, days: earlier.get(id) ?? [] });
  }
  return { data };
}

type Count = { count: number | null; is_estimate: boolean };
const notCounted: Count = { count: null, is_estimate: false };

async function countOrNone(ctx: AccountContext, row: SegmentRow): Promise<Count> {
  try {
    return await countOrEstimate(ctx, await criteriaOfSegment(ctx, row));
  } catch (error) {
    if (error instanceof TooCostlyError) return notCounted;
    throw error;
  }
}
