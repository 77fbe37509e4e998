import type { ProjectStatus } from '#contracts/projects.ts';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';

type ProjectKey = { accountId: number; projectId: number };

/** Stores the status that follows from a project's phones; `connectedAt` is when its present connection began. */
export async function saveProjectStatus(
  tx: Tx,
  { accountId, projectId }: ProjectKey,
  state: { status: ProjectStatus; connectedAt: Date | null },
): Promise<void> {
  await tx.db
    .updateTable('projects')
    .set({ status: state.status, connected_at: state.connectedAt })
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .execute();
  await publishLive(tx, accountId, { type: 'projects.changed', project_id: projectId });
}

/** A phone that is no sandbox has been connected: the first one is noted for good. */
export async function recordRealPhone(tx: Tx, { accountId, projectId }: ProjectKey): Promise<void> {
  const { numUpdatedRows } = await tx.db
    .updateTable('projects')
    .set({ real_phone_since: tx.clock.now() })
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .where('real_phone_since', 'is', null)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return;
  await publishLive(tx, accountId, { type: 'projects.changed', project_id: projectId });
}
