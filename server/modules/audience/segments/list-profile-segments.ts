import type { Segment } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { matchesCondition } from '#server/modules/audience/conditions/index.ts';
import { getProfileRow } from '#server/modules/audience/profiles/index.ts';
import { conditionOf, presentSegment } from './present.ts';
import { findSegmentRows } from './queries.ts';

/** The segments that a profile is in now. */
export async function listProfileSegments(
  ctx: AccountContext,
  input: { profileId: number },
): Promise<{ data: Segment[] }> {
  const profile = await getProfileRow(ctx, input.profileId);
  const now = ctx.clock.now();
  const segments = await findSegmentRows(ctx);
  const own = segments.filter((row) => matchesCondition(profile, conditionOf(row), now));
  return { data: own.map(presentSegment) };
}
