/** A webhook of Meta was stored. */
export const cloudWebhooksChannel = 'dovepost_cloud_webhooks';
