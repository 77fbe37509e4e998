import { sql } from 'kysely';
import type { Tx } from '#server/context.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { webhooksChannel } from './channels.ts';

/** Wakes the deliverers and open pages for one project whose records have become due. */
export async function announceDueWebhooks(tx: Tx, owner: { accountId: number; projectId: number }): Promise<void> {
  const payload = JSON.stringify([owner.accountId, owner.projectId]);
  await sql`select pg_notify(${webhooksChannel}, ${payload})`.execute(tx.db);
  await publishLive(tx, owner.accountId, { type: 'webhooks.changed', project_id: owner.projectId });
}
