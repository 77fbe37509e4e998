export { createWebhookDeliverer } from './delivering/deliverer.ts';
export { resealEndpointSecrets } from './endpoints/reseal-endpoint-secrets.ts';
export { recordWebhookEvents } from './record-webhook-events.ts';
export { removeWebhooksBefore } from './remove-webhooks-before.ts';
export { requeueWebhooks } from './requeue-webhooks.ts';
export { webhookRoutes } from './routes.ts';
export { eraseRecordsNaming } from './erase-records.ts';
