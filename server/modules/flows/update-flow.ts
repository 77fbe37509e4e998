import type { Flow, FlowChange } from '#contracts/flows.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { liveNotifications } from '#server/modules/live/index.ts';
import { holdProject } from '#server/modules/projects/index.ts';
import { notify } from '#server/platform/db/channels.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { flowNotification } from './flow-notice.ts';
import { presentFlow } from './present.ts';
import type { FlowRow } from './present.ts';
import { getFlowRow, lockFlow } from './queries.ts';
import { recallQueued, rewriteQueued } from './deliveries/recall-queued.ts';
import { requireKnownPaths } from './require-known-paths.ts';

type UpdateFlow = { flowId: number; change: FlowChange };

/**
 * Changes what is named. What has not gone out gets the new message, and goes by the new project's phones. A flow that is
 * switched off holds it back until it is switched on, or run by hand.
 */
export async function updateFlow(ctx: AccountContext, { flowId, change }: UpdateFlow): Promise<Flow> {
  return inTransaction(ctx, async (tx) => {
    const found = await lockFlow(tx, flowId);
    if (!found) throw new NotFoundError('Flow');
    // Held after the flow is locked, in the order of whoever deletes the project.
    if (change.action) await holdProject(tx, change.action.projectId);
    if (!change.allow_unknown) await requireKnownPaths(tx, change, found);
    const before = isTakenBackBy(change, found) ? await recallQueued(tx, found) : found;
    const after = await tx.db
      .updateTable('flows')
      .set({ ...changedColumns(change), ...schedule(before, change, tx.clock.now()), updated_at: tx.clock.now() })
      .where('account_id', '=', tx.account.id)
      .where('id', '=', flowId)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (after.message !== before.message) await rewriteQueued(tx, after);
    await notify(tx.db, [
      ...liveNotifications(tx.account.id, { type: 'flows.changed', flow_id: flowId }),
      flowNotification({ kind: 'due' }),
    ]);
    return presentFlow(await getFlowRow(tx, flowId));
  });
}

function isTakenBackBy({ action, active }: FlowChange, flow: FlowRow): boolean {
  const isMoved = action !== undefined && action.projectId !== flow.project_id;
  return isMoved || (flow.is_active && active === false);
}

function changedColumns({ name, action, conditions, duration, frequency, active }: FlowChange) {
  return {
    ...(name !== undefined && { name }),
    ...(action && { project_id: action.projectId, message: action.message }),
    ...(conditions && { conditions: JSON.stringify(conditions) }),
    ...(duration && { duration: JSON.stringify(duration) }),
    ...(frequency && { frequency: JSON.stringify(frequency) }),
    ...(active !== undefined && { is_active: active }),
  };
}

/** One that is or becomes active runs at once, one that is switched off stops; the others go on as they were. */
function schedule(before: FlowRow, { active = before.is_active }: FlowChange, now: Date) {
  if (active) return { next_run_at: now, next_feed_at: before.waiting_count + before.queued_count > 0 ? now : null };
  return before.is_active ? { next_run_at: null, next_feed_at: null, waiting_for: null } : {};
}
