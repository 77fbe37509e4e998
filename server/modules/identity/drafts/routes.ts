import * as contract from '#contracts/drafts.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { deleteDraft, getDraft, listDrafts, saveDraft } from './drafts.ts';

export const draftRoutes: Route[] = [
  route(contract.listDrafts, async (ctx, { query }) => ({ data: await listDrafts(ctx, query) })),
  route(contract.getDraft, (ctx, { params }) => getDraft(ctx, params)),
  route(contract.saveDraft, (ctx, { params, body }) => saveDraft(ctx, { ...params, ...body })),
  route(contract.deleteDraft, async (ctx, { params, query }) => {
    await deleteDraft(ctx, { ...params, ...query });
    return undefined;
  }),
];
