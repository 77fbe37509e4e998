export { createWebhookDeliverer } from './delivering/deliverer.ts';
export { recordWebhookEvents } from './record-webhook-events.ts';
export { webhookRoutes } from './routes.ts';
export { createWebhookSecret, webhookSecretContext } from './webhook-secret.ts';
export { checkWebhookUrl } from './webhook-url.ts';
