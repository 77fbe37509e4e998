import * as contract from '#contracts/bulk-actions.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { cancelBulkAction, startBulkAction, undoBulkAction } from './change-bulk-action.ts';
import { findLatest, getRecord } from './queries.ts';
import { presentBulkAction } from './record.ts';

export const bulkActionRoutes: Route[] = [
  route(contract.startBulkAction, (ctx, { body }) => startBulkAction(ctx, body)),
  route(contract.listBulkActions, async (ctx) => {
    const now = ctx.clock.now();
    return { data: (await findLatest(ctx)).map((record) => presentBulkAction(record, now)) };
  }),
  route(contract.getBulkAction, async (ctx, { params }) => {
    return presentBulkAction(await getRecord(ctx, params.actionId), ctx.clock.now());
  }),
  route(contract.cancelBulkAction, (ctx, { params }) => cancelBulkAction(ctx, params)),
  route(contract.undoBulkAction, (ctx, { params }) => undoBulkAction(ctx, params)),
];
