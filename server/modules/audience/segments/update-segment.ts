import type { Segment, SegmentChange } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { requireKnownPaths } from '#server/modules/audience/conditions/index.ts';
import { presentSegment } from './present.ts';
import { getSegmentRow } from './queries.ts';

type UpdateSegment = { segmentId: number; change: SegmentChange };

export async function updateSegment(ctx: AccountContext, { segmentId, change }: UpdateSegment): Promise<Segment> {
  const before = await getSegmentRow(ctx, segmentId);
  const { name, condition, allow_unknown } = change;
  // A path that profiles have lost since may stay as it is.
  if (!allow_unknown && condition && condition.fieldPath !== before.field_path) {
    await requireKnownPaths(ctx, [{ fieldPath: condition.fieldPath, at: 'condition.fieldPath' }]);
  }
  const row = await ctx.db
    .updateTable('segments')
    .set({
      ...(name !== undefined && { name }),
      ...(condition && { field_path: condition.fieldPath, operator: condition.operator, value: condition.value }),
      updated_at: ctx.clock.now(),
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', segmentId)
    .returningAll()
    .executeTakeFirst();
  return presentSegment(row ?? (await getSegmentRow(ctx, segmentId)));
}
