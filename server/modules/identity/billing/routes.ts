import * as contract from '#contracts/billing.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { approveTestOrder } from './checkout/approve-test-order.ts';
import { cancelSubscription } from './cancel-subscription.ts';
import { captureOrder } from './checkout/capture-order.ts';
import { createOrder } from './checkout/create-order.ts';
import { receiveEvent, requireEventHeaders } from './events/receive-event.ts';
import { listPayments } from './payments/list-payments.ts';
import { resumeSubscription } from './resume-subscription.ts';

export const billingRoutes: Route[] = [
  route(contract.createOrder, (ctx, { body }) => createOrder(ctx, body)),
  route(contract.captureOrder, (ctx, { body }) => captureOrder(ctx, body)),
  route(contract.approveTestOrder, (ctx, { body }) => approveTestOrder(ctx, body)),
  route(contract.cancelSubscription, (ctx) => cancelSubscription(ctx)),
  route(contract.resumeSubscription, (ctx) => resumeSubscription(ctx)),
  route(contract.listPayments, (ctx, { query }) => listPayments(ctx, query)),
  route(
    contract.receivePaymentWebhook,
    (ctx, { headers }, { request }) =>
      receiveEvent(ctx, { headers, body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0) }),
    { beforeBody: requireEventHeaders },
  ),
];
