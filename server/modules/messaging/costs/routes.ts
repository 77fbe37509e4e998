import { Readable } from 'node:stream';
import * as contract from '#contracts/prices.ts';
import { ProblemError } from '#server/platform/errors.ts';
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
  route(contract.replaceMessagePrices, async (ctx, _, { request, reply }) => {
    const { body: file } = request;
    if (!(file instanceof Readable)) throw new ProblemError(415, 'unsupported_media_type', 'Send the file as text/csv');
    try {
      return await replaceMessagePrices(ctx, file);
    } catch (error) {
      // The rest of the file is not read: the connection cannot carry another request.
      reply.header('connection', 'close');
      throw error;
    }
  }),
  route(contract.getPhoneCosts, (ctx, { params, query }) => findPhoneCosts(ctx, { ...params, ...query })),
];
