import * as contract from '#contracts/prices.ts';
import { bytesOf } from '#server/platform/http/accept-only.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { findPhoneCosts } from './phone-costs.ts';
import { exportMessagePrices, listMessagePrices, replaceMessagePrices } from './price-list.ts';

export const costRoutes: Route[] = [
  route(contract.listMessagePrices, (ctx, { query }) => listMessagePrices(ctx, query)),
  route(contract.exportMessagePrices, async (ctx, _, { reply }) => {
    reply.header('content-disposition', 'attachment; filename="message-prices.csv"');
    return exportMessagePrices(ctx);
  }),
  route(contract.replaceMessagePrices, async (ctx, _, { request }) => {
    const file = bytesOf(request, 'Send the file as text/csv');
    return replaceMessagePrices(ctx, file);
  }),
  route(contract.getPhoneCosts, (ctx, { params, query }) => findPhoneCosts(ctx, { ...params, ...query })),
];
