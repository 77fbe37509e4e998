import * as contract from '#contracts/request-log.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listApiRequests } from './list-api-requests.ts';

export const requestLogRoutes: Route[] = [
  route(contract.listApiRequests, (ctx, { params, query }) => listApiRequests(ctx, { ...params, ...query })),
];
