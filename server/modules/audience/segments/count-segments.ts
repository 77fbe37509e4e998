import type { EndpointResponse } from '#contracts/endpoint.ts';
import type { countSegments as contract } from '#contracts/segments.ts';
import { TooCostlyError } from '#server/admission.ts';
import type { AccountContext } from '#server/context.ts';
import { countCriteria } from '#server/modules/audience/conditions/index.ts';
import { criteriaOfSegment } from './criteria.ts';
import { findSegmentRows } from './queries.ts';
import type { SegmentRow } from './present.ts';

/** For all segments of a request; the ones after it are not counted. */
const patienceMs = 10_000;

/** Segments are counted one after the other, so that a page of them takes no more of the database than one of them does. */
export async function countSegments(
  ctx: AccountContext,
  { ids }: { ids: readonly number[] },
): Promise<EndpointResponse<typeof contract>> {
  const rows = new Map((await findSegmentRows(ctx, ids)).map((row) => [row.id, row]));
  const deadline = ctx.clock.now().getTime() + patienceMs;
  const data: { id: number; count: number | null }[] = [];
  for (const id of new Set(ids)) {
    const row = rows.get(id);
    if (row === undefined) continue;
    const isLate = ctx.clock.now().getTime() > deadline;
    data.push({ id, count: isLate ? null : await countOrNull(ctx, row) });
  }
  return { data };
}

async function countOrNull(ctx: AccountContext, row: SegmentRow): Promise<number | null> {
  try {
    return await countCriteria(ctx, await criteriaOfSegment(ctx, row));
  } catch (error) {
    if (error instanceof TooCostlyError) return null;
    throw error;
  }
}
