import type { SegmentMember } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { countCriteria, listMatching } from '#server/modules/audience/conditions/index.ts';
import { criteriaOfSegment } from './criteria.ts';
import { presentMember } from './present.ts';
import { getSegmentRow } from './queries.ts';

type ListSegmentMembers = { segmentId: number; limit: number; offset: number };

/** The present members, newest first; `count` is the whole match. */
export async function listSegmentMembers(
  ctx: AccountContext,
  { segmentId, limit, offset }: ListSegmentMembers,
): Promise<{ data: SegmentMember[]; count: number }> {
  const criteria = await criteriaOfSegment(ctx, await getSegmentRow(ctx, segmentId));
  const count = await countCriteria(ctx, criteria);
  const profiles = await listMatching(ctx, criteria, { limit, offset, count });
  return { data: profiles.map(presentMember), count };
}
