import * as contract from '#contracts/saved-views.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { createSavedView, deleteSavedView, listSavedViews, updateSavedView } from './saved-views.ts';

export const savedViewRoutes: Route[] = [
  route(contract.listSavedViews, async (ctx, { query }) => ({ data: await listSavedViews(ctx, query) })),
  route(contract.createSavedView, (ctx, { body }) => createSavedView(ctx, body)),
  route(contract.updateSavedView, (ctx, { params, body }) => updateSavedView(ctx, { ...params, ...body })),
  route(contract.deleteSavedView, async (ctx, { params }) => {
    await deleteSavedView(ctx, params);
    return undefined;
  }),
];
