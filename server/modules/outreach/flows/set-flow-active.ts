import type { AccountContext } from '#server/context.ts';
import { getFlowRow } from './queries.ts';
import { updateFlow } from './update-flow.ts';

/** Switches the flow on, for new matches alone with `skipCurrent`, or off; whether that changed anything. */
export async function setFlowActive(
  ctx: AccountContext,
  { flowId, active, skipCurrent }: { flowId: number; active: boolean; skipCurrent?: boolean },
): Promise<boolean> {
  const { is_active: isActive } = await getFlowRow(ctx, flowId);
  if (isActive === active) return false;
  await updateFlow(ctx, { flowId, change: { active, skip_current: skipCurrent } });
  return true;
}
