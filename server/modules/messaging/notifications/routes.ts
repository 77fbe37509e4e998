import * as contract from '#contracts/notifications.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { createPushSubscription, deletePushSubscription, listPushSubscriptions } from './push/subscriptions.ts';
import { listNotifications, readNotifications } from './read-notifications.ts';
import { getNotificationSettings, updateNotificationSettings } from './settings.ts';

export const notificationRoutes: Route[] = [
  route(contract.listNotifications, (ctx, { query }) => listNotifications(ctx, query)),
  route(contract.readNotifications, (ctx, { body }) => readNotifications(ctx, body)),
  route(contract.getNotificationSettings, (ctx) => getNotificationSettings(ctx)),
  route(contract.updateNotificationSettings, (ctx, { body }) => updateNotificationSettings(ctx, body)),
  route(contract.listPushSubscriptions, (ctx) => listPushSubscriptions(ctx)),
  route(contract.createPushSubscription, (ctx, { body }, { request }) =>
    createPushSubscription(ctx, { subscription: body, program: request.headers['user-agent'] }),
  ),
  route(contract.deletePushSubscription, (ctx, { params }) => deletePushSubscription(ctx, params)),
];
