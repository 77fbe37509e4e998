import type { AccountContext } from '#server/context.ts';
import { getFlowRow } from './queries.ts';
import { updateFlow } from './update-flow.ts';

/** Switches the flow on or off; whether that changed anything. */
export async function setFlowActive(
  ctx: AccountContext,
  { flowId, active }: { flowId: number; active: boolean },
): Promise<boolean> {
  const { is_active: isActive } = await getFlowRow(ctx, flowId);
  if (isActive === active) return false;
  await updateFlow(ctx, { flowId, change: { active } });
  return true;
}
