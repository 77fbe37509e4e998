import * as contract from '#contracts/billing.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { approveTestOrder } from './approve-test-order.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { captureOrder } from './capture-order.ts';
import { createOrder } from './create-order.ts';
import { resumeSubscription } from './resume-subscription.ts';

export const billingRoutes: Route[] = [
  route(contract.createOrder, (ctx, { body }) => createOrder(ctx, body)),
  route(contract.captureOrder, (ctx, { body }) => captureOrder(ctx, body)),
  route(contract.approveTestOrder, (ctx, { body }) => approveTestOrder(ctx, body)),
  route(contract.cancelSubscription, (ctx) => cancelSubscription(ctx)),
  route(contract.resumeSubscription, (ctx) => resumeSubscription(ctx)),
];
