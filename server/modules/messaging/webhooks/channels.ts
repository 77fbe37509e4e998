import type { Notification } from '#server/platform/db/notify.ts';

/** A project's webhook records have become due: `[account_id, project_id]`. */
export const webhooksChannel = 'dovepost_webhooks';

export const webhookNotification = (accountId: number, queueId: number): Notification => ({
  channel: webhooksChannel,
  payload: JSON.stringify([accountId, queueId]),
});
