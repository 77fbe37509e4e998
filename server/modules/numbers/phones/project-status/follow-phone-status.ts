import type { Tx } from '#server/context.ts';
import { lockProject, saveProjectStatus } from '#server/modules/identity/projects/index.ts';
import { projectState } from './project-status.ts';

/** Brings a project's status in line with its phones, in the transaction that changed one of them. */
export async function followPhoneStatus(tx: Tx, accountId: number, projectId: number): Promise<void> {
  // Locked first: of two phones that change at once, the later transaction must see what the earlier one left.
  const project = await lockProject(tx, { accountId, projectId });
  if (!project) return;
  const phones = await tx.db
    .selectFrom('phones')
    .select([
      'status',
      'status_changed_at as statusChangedAt',
      'connected_at as connectedAt',
      'was_connected as wasConnected',
    ])
    .where('account_id', '=', accountId)
    .where('project_id', '=', projectId)
    .execute();
  const state = projectState(phones, { status: project.status, connectedAt: project.connected_at });
  if (state.status === project.status && state.connectedAt?.getTime() === project.connected_at?.getTime()) return;
  await saveProjectStatus(tx, { accountId, projectId }, state);
}
