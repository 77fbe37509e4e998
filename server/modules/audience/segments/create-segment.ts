import type { NewSegment, Segment } from '#contracts/segments.ts';
import { inTransaction } from '#server/context.ts';
import type { AccountContext, Tx } from '#server/context.ts';
import { requireKnownPaths } from '#server/modules/audience/conditions/index.ts';
import { followAudiences } from '#server/modules/audience/membership/index.ts';
import { noCondition, segmentsIn } from './criteria.ts';
import { presentSegment } from './present.ts';
import { holdSegments } from './queries.ts';
import { requireExpression } from './require-expression.ts';
import type { SegmentRow } from './tables.ts';

export async function createSegment(ctx: AccountContext, segment: NewSegment): Promise<Segment> {
  const row = await inTransaction(ctx, (tx) => insertSegment(tx, segment));
  await followAudiences(ctx, ctx.account.id);
  return presentSegment(row);
}

/** The segments that it names are not deleted before the transaction ends. */
async function insertSegment(
  tx: Tx<AccountContext>,
  { name, condition, expression, allow_unknown: isAnyAllowed = false }: NewSegment,
): Promise<SegmentRow> {
  if (condition && !isAnyAllowed) {
    await requireKnownPaths(tx, [{ fieldPath: condition.fieldPath, at: 'condition.fieldPath' }]);
  }
  if (expression) {
    await requireExpression(tx, { expression, known: isAnyAllowed ? undefined : new Set() });
    await holdSegments(tx, segmentsIn(expression));
  }
  const now = tx.clock.now();
  const { fieldPath, operator, value } = condition ?? noCondition;
  return tx.db
    .insertInto('segments')
    .values({
      account_id: tx.account.id,
      name,
      field_path: fieldPath,
      operator,
      value,
      expression: expression ? JSON.stringify(expression) : null,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
