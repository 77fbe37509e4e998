import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Notification } from '#server/platform/db/notify.ts';
import { sharedNameSql } from '#server/platform/db/shared-names.ts';

/** A project's webhook records have become due: `[account_id, project_id]`. */
export const webhooksChannel = 'dovepost_webhooks';

export const webhookNotification = (accountId: number, queueId: number): Notification => ({
  channel: webhooksChannel,
  payload: JSON.stringify([accountId, queueId]),
});

/** The expression by which a statement itself sends it. */
export const notifyDue = (accountId: RawBuilder<unknown>, queueId: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`pg_notify(${sharedNameSql(sql.lit(webhooksChannel))}, json_build_array(${accountId}, ${queueId})::text)`;
