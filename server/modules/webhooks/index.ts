export { createWebhookDeliverer } from './delivering/deliverer.ts';
export { recordWebhookEvents } from './record-webhook-events.ts';
export { webhookRoutes } from './routes.ts';
