export { mountCloudWebhooks } from './receive-webhook.ts';
export { removeOldNotices } from './notices.ts';
export { officialRoutes } from './routes.ts';
export { createCloudWebhookService } from './work-off-webhooks.ts';
