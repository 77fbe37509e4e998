export { mountCloudWebhooks } from './receive-webhook.ts';
export { createCloudWebhookService } from './work-off-webhooks.ts';
