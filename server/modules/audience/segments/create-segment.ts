import type { NewSegment, Segment } from '#contracts/segments.ts';
import type { AccountContext } from '#server/context.ts';
import { requireKnownPaths } from '#server/modules/audience/conditions/index.ts';
import { presentSegment } from './present.ts';

export async function createSegment(
  ctx: AccountContext,
  { name, condition, allow_unknown }: NewSegment,
): Promise<Segment> {
  if (!allow_unknown) await requireKnownPaths(ctx, [{ fieldPath: condition.fieldPath, at: 'condition.fieldPath' }]);
  const now = ctx.clock.now();
  const row = await ctx.db
    .insertInto('segments')
    .values({
      account_id: ctx.account.id,
      name,
      field_path: condition.fieldPath,
      operator: condition.operator,
      value: condition.value,
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return presentSegment(row);
}
