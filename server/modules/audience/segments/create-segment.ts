import type { NewSegment, Segment } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { requireKnownPaths } from '#server/modules/audience/conditions/index.ts';
import { followAudiences } from '#server/modules/audience/membership/index.ts';
import { noCondition } from './criteria.ts';
import { presentSegment } from './present.ts';
import { requireExpression } from './require-expression.ts';

export async function createSegment(
  ctx: AccountContext,
  { name, condition, expression, allow_unknown: isAnyAllowed = false }: NewSegment,
): Promise<Segment> {
  if (condition && !isAnyAllowed) {
    await requireKnownPaths(ctx, [{ fieldPath: condition.fieldPath, at: 'condition.fieldPath' }]);
  }
  if (expression) await requireExpression(ctx, { expression, known: isAnyAllowed ? undefined : new Set() });
  const now = ctx.clock.now();
  const { fieldPath, operator, value } = condition ?? noCondition;
  const row = await ctx.db
    .insertInto('segments')
    .values({
      account_id: ctx.account.id,
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
  await followAudiences(ctx, ctx.account.id);
  return presentSegment(row);
}
