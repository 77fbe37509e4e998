import type { Segment } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { momentOf, questionOf } from '#server/modules/audience/conditions/index.ts';
import { getProfileRow } from '#server/modules/audience/profiles/index.ts';
import { conditionOf, presentSegment } from './present.ts';
import { findSegmentRows } from './queries.ts';

/** The segments that a profile is in now. */
export async function listProfileSegments(
  ctx: AccountContext,
  input: { profileId: number },
): Promise<{ data: Segment[] }> {
  const profile = await getProfileRow(ctx, input.profileId);
  const moment = momentOf(ctx);
  const segments = await findSegmentRows(ctx);
  const own = segments.filter((row) => questionOf(conditionOf(row)).evaluate(profile, moment) === true);
  return { data: own.map(presentSegment) };
}
