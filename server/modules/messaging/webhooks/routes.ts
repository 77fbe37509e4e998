import * as endpoints from '#contracts/webhook-endpoints.ts';
import * as contract from '#contracts/webhooks.ts';
import { originOf } from '#server/modules/identity/users/index.ts';
import type { Route } from '#server/route.ts';
import { route } from '#server/route.ts';
import {
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateEndpointSecret,
  updateEndpoint,
} from './endpoints/change-endpoints.ts';
import { listEvents } from './events/list-events.ts';
import { replayWebhooks } from './events/replay-webhooks.ts';
import { getWebhookHealth } from './health/get-webhook-health.ts';
import { getWebhook, listWebhooks } from './list-webhooks.ts';
import { retryWebhook } from './retry-webhook.ts';
import { sendTestEvent } from './send-test-event.ts';

export const webhookRoutes: Route[] = [
  route(contract.listWebhooks, (ctx, { params, query }) => listWebhooks(ctx, { ...params, ...query })),
  route(contract.getWebhookHealth, (ctx, { params }) => getWebhookHealth(ctx, params)),
  route(contract.retryWebhook, (ctx, { params }) => retryWebhook(ctx, params)),
  route(contract.sendTestEvent, (ctx, { params }) => sendTestEvent(ctx, params)),
  route(contract.getWebhook, (ctx, { params }) => getWebhook(ctx, params)),
  route(endpoints.listWebhookEndpoints, (ctx, { params }) => listEndpoints(ctx, params)),
  route(endpoints.createWebhookEndpoint, (ctx, { params, body }, caller) =>
    createEndpoint(ctx, { ...params, ...body, origin: originOf(caller) }),
  ),
  route(endpoints.updateWebhookEndpoint, (ctx, { params, body }, caller) =>
    updateEndpoint(ctx, { ...params, change: body, origin: originOf(caller) }),
  ),
  route(endpoints.deleteWebhookEndpoint, async (ctx, { params }, caller) => {
    await deleteEndpoint(ctx, { ...params, origin: originOf(caller) });
    return undefined;
  }),
  route(endpoints.rotateEndpointSecret, (ctx, { params, body }, caller) =>
    rotateEndpointSecret(ctx, { ...params, overlapHours: body.overlap_hours, origin: originOf(caller) }),
  ),
  route(endpoints.testWebhookEndpoint, (ctx, { params }) => sendTestEvent(ctx, params)),
  route(endpoints.listEvents, (ctx, { params, query }) => listEvents(ctx, { ...params, ...query })),
  route(endpoints.replayWebhooks, (ctx, { params, body }) => replayWebhooks(ctx, { ...params, ...body })),
];
