import * as contract from '#contracts/messages.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listDailyCounts } from './list-daily-counts.ts';

export const messageCountRoutes: Route[] = [
  route(contract.listDailyCounts, (ctx, { query }) => listDailyCounts(ctx, query)),
];
