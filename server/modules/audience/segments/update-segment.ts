import { isDeepStrictEqual } from 'node:util';
import { expressionOf } from '#contracts/expressions.ts';
import type { Segment, SegmentChange } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { requireKnownPaths } from '#server/modules/audience/conditions/index.ts';
import { followAudiences } from '#server/modules/audience/membership/index.ts';
import { expressionOfSegment, fieldsIn, noCondition } from './criteria.ts';
import { forgetDailyCounts } from './daily-counts.ts';
import { presentSegment } from './present.ts';
import type { SegmentRow } from './tables.ts';
import { getSegmentRow } from './queries.ts';
import { requireExpression } from './require-expression.ts';

type UpdateSegment = { segmentId: number; change: SegmentChange };

export async function updateSegment(ctx: AccountContext, { segmentId, change }: UpdateSegment): Promise<Segment> {
  const before = await getSegmentRow(ctx, segmentId);
  const { name, condition } = change;
  // A caller that sends back the answer names both; the condition is the same in full.
  const expression = condition ? undefined : change.expression;
  await requirePaths(ctx, before, change);
  const { fieldPath, operator, value } = condition ?? noCondition;
  const asked = condition ? expressionOf(condition) : expression;
  if (asked && !isDeepStrictEqual(asked, expressionOfSegment(before))) {
    await forgetDailyCounts(ctx.account.id, segmentId).execute(ctx.db);
  }
  const row = await ctx.db
    .updateTable('segments')
    .set({
      ...(name !== undefined && { name }),
      ...((condition || expression) && {
        field_path: fieldPath,
        operator,
        value,
        expression: expression ? JSON.stringify(expression) : null,
      }),
      updated_at: ctx.clock.now(),
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', segmentId)
    .returningAll()
    .executeTakeFirst();
  await followAudiences(ctx, ctx.account.id);
  return presentSegment(row ?? (await getSegmentRow(ctx, segmentId)));
}

/** Paths that profiles have lost since may stay as they are. */
async function requirePaths(ctx: AccountContext, before: SegmentRow, change: SegmentChange): Promise<void> {
  const { condition, expression, allow_unknown: isAnyAllowed = false } = change;
  const kept = new Set(fieldsIn(expressionOfSegment(before)));
  if (condition) {
    if (isAnyAllowed || kept.has(condition.fieldPath)) return;
    await requireKnownPaths(ctx, [{ fieldPath: condition.fieldPath, at: 'condition.fieldPath' }]);
  } else if (expression) {
    await requireExpression(ctx, { expression, of: before.id, known: isAnyAllowed ? undefined : kept });
  }
}
