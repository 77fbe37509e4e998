import type { ConditionCost, SegmentCondition } from '#contracts/conditions.ts';
import type { AccountContext } from '#server/context.ts';
import { countCondition, questionOf } from '#server/modules/audience/conditions/index.ts';

/** How many profiles a condition matches; a path that no profile has matches as it would once saved. */
export async function previewSegmentCount(
  ctx: AccountContext,
  { condition }: { condition: SegmentCondition },
): Promise<{ count: number; served_by: ConditionCost }> {
  const count = await countCondition(ctx, condition);
  return { count, served_by: questionOf(condition).cost };
}
