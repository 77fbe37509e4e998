import { isDeepStrictEqual } from 'node:util';
import { expressionOf } from '#contracts/expressions.ts';
import type { Segment, SegmentChange } from '#contracts/segments.ts';
import { inTransaction } from '#server/context.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { requireKnownPaths } from '#server/modules/audience/conditions/index.ts';
import { followAudiences } from '#server/modules/audience/membership/index.ts';
import { lockAccount } from '#server/modules/identity/accounts/index.ts';
import { expressionOfSegment, fieldsIn, noCondition, segmentsIn } from './criteria.ts';
import { forgetDailyCounts } from './daily-counts.ts';
import { presentSegment } from './present.ts';
import type { SegmentRow } from './tables.ts';
import { getSegmentRow, holdSegments } from './queries.ts';
import { requireExpression } from './require-expression.ts';

type UpdateSegment = { segmentId: number; change: SegmentChange };

export async function updateSegment(ctx: AccountContext, input: UpdateSegment): Promise<Segment> {
  const row = await inTransaction(ctx, (tx) => saveChange(tx, input));
  await followAudiences(ctx, ctx.account.id);
  return presentSegment(row ?? (await getSegmentRow(ctx, input.segmentId)));
}

async function saveChange(
  tx: Tx<AccountContext>,
  { segmentId, change }: UpdateSegment,
): Promise<SegmentRow | undefined> {
  const { name, condition } = change;
  // A caller that sends back the answer names both; the condition is the same in full.
  const expression = condition ? undefined : change.expression;
  const named = expression ? segmentsIn(expression) : [];
  // Locked: two changes at once must not both see that neither segment is made of the other.
  if (named.length > 0) {
    await lockAccount(tx, tx.account.id);
  }
  const before = await getSegmentRow(tx, segmentId);
  await requirePaths(tx, before, change);
  await holdSegments(tx, named);
  const { fieldPath, operator, value } = condition ?? noCondition;
  const asked = condition ? expressionOf(condition) : expression;
  if (asked && !isDeepStrictEqual(asked, expressionOfSegment(before))) {
    await forgetDailyCounts(tx.account.id, segmentId).execute(tx.db);
  }
  return tx.db
    .updateTable('segments')
    .set({
      ...(name !== undefined && { name }),
      ...((condition || expression) && {
        field_path: fieldPath,
        operator,
        value,
        expression: expression ? JSON.stringify(expression) : null,
      }),
      updated_at: tx.clock.now(),
    })
    .where('account_id', '=', tx.account.id)
    .where('id', '=', segmentId)
    .returningAll()
    .executeTakeFirst();
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
