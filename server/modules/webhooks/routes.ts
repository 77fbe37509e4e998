import * as contract from '#contracts/webhooks.ts';
import type { Route } from '#server/route.ts';
import { route } from '#server/route.ts';
import { getWebhookHealth } from './health/get-webhook-health.ts';
import { listWebhooks } from './list-webhooks.ts';
import { retryWebhook } from './retry-webhook.ts';
import { sendTestEvent } from './send-test-event.ts';

export const webhookRoutes: Route[] = [
  route(contract.listWebhooks, (ctx, { params, query }) => listWebhooks(ctx, { ...params, ...query })),
  route(contract.getWebhookHealth, (ctx, { params }) => getWebhookHealth(ctx, params)),
  route(contract.retryWebhook, (ctx, { params }) => retryWebhook(ctx, params)),
  route(contract.sendTestEvent, (ctx, { params }) => sendTestEvent(ctx, params)),
];
