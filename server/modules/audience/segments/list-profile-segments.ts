import type { Segment } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { momentOf, questionOf } from '#server/modules/audience/conditions/index.ts';
import { criteriaOfSegment } from './criteria.ts';
import { findPerson } from './explain-segment.ts';
import { presentSegment } from './present.ts';
import { findSegmentRows } from './queries.ts';

/** The segments that a profile is in now. */
export async function listProfileSegments(
  ctx: AccountContext,
  input: { profileId: number },
): Promise<{ data: Segment[] }> {
  const person = await findPerson(ctx, input.profileId);
  const moment = momentOf(ctx);
  const segments = await findSegmentRows(ctx);
  const own: Segment[] = [];
  for (const row of segments) {
    const question = questionOf(await criteriaOfSegment(ctx, row));
    if (question.evaluate(person, moment) === true) own.push(presentSegment(row));
  }
  return { data: own };
}
