import type { SegmentMember } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { countCondition, listMatching } from '#server/modules/audience/conditions/index.ts';
import { conditionOf, presentMember } from './present.ts';
import { getSegmentRow } from './queries.ts';

type ListSegmentMembers = { segmentId: number; limit: number; offset: number };

/** Who matches now, newest first; `count` is the whole match. */
export async function listSegmentMembers(
  ctx: AccountContext,
  { segmentId, limit, offset }: ListSegmentMembers,
): Promise<{ data: SegmentMember[]; count: number }> {
  const condition = conditionOf(await getSegmentRow(ctx, segmentId));
  const count = await countCondition(ctx, condition);
  const profiles = await listMatching(ctx, condition, { limit, offset, count });
  return { data: profiles.map(presentMember), count };
}
