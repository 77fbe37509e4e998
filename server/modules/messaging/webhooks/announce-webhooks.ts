import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { webhookNotification } from './channels.ts';

type Due = { accountId: number; projectId: number; queueIds: readonly number[] };

/** Wakes the deliverers and open pages for endpoints of a project whose records have become due. */
export async function announceDueWebhooks(tx: Tx, { accountId, projectId, queueIds }: Due): Promise<void> {
  await notify(
    tx.db,
    queueIds.map((queueId) => webhookNotification(accountId, queueId)),
  );
  await publishLive(tx, accountId, { type: 'webhooks.changed', project_id: projectId });
}
