import type { SegmentMember } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { countOrEstimate, listCounted } from '#server/modules/audience/conditions/index.ts';
import { criteriaOfSegment } from './criteria.ts';
import { presentMember } from './present.ts';
import { getSegmentRow } from './queries.ts';

type ListSegmentMembers = { segmentId: number; limit: number; offset: number };

/** The present members, newest first; `count` is the whole match, or about so many. */
export async function listSegmentMembers(
  ctx: AccountContext,
  { segmentId, limit, offset }: ListSegmentMembers,
): Promise<{ data: SegmentMember[]; count: number; is_estimate: boolean }> {
  const criteria = await criteriaOfSegment(ctx, await getSegmentRow(ctx, segmentId));
  const counted = await countOrEstimate(ctx, criteria);
  const profiles = await listCounted(ctx, criteria, { limit, offset, ...counted });
  return { data: profiles.map(presentMember), ...counted };
}
