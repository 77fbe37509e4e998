import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { projectState } from './project-status.ts';

/** Brings a project's status in line with its phones, in the transaction that changed one of them. */
export async function followPhoneStatus(tx: Tx, accountId: number, projectId: number): Promise<void> {
  // Locked first: of two phones that change at once, the later transaction must see what the earlier one left.
  const project = await tx.db
    .selectFrom('projects')
    .select(['status', 'connected_at'])
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .forNoKeyUpdate()
    .executeTakeFirst();
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
  await tx.db
    .updateTable('projects')
    .set({ status: state.status, connected_at: state.connectedAt })
    .where('account_id', '=', accountId)
    .where('id', '=', projectId)
    .execute();
  await publishLive(tx, accountId, { type: 'projects.changed', project_id: projectId });
}
