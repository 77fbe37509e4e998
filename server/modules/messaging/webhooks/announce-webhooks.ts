import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { webhooksChannel } from './channels.ts';

type Due = { accountId: number; projectId: number; queueIds: readonly number[] };

/** Wakes the deliverers and open pages for endpoints of a project whose records have become due. */
export async function announceDueWebhooks(tx: Tx, { accountId, projectId, queueIds }: Due): Promise<void> {
  for (const queueId of queueIds) {
    await sql`select pg_notify(${webhooksChannel}, ${JSON.stringify([accountId, queueId])})`.execute(tx.db);
  }
  await publishLive(tx, accountId, { type: 'webhooks.changed', project_id: projectId });
}
