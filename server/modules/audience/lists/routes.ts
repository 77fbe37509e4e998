import * as contract from '#contracts/profiles.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { exportProfiles } from './export-profiles.ts';
import { listProfiles } from './list-profiles.ts';
import { listTags } from './list-tags.ts';

export const profileListRoutes: Route[] = [
  route(contract.listProfiles, (ctx, { query }) => listProfiles(ctx, query)),
  route(contract.exportProfiles, async (ctx, { query }, { reply }) => {
    reply.header('content-disposition', 'attachment; filename="profiles.csv"');
    return exportProfiles(ctx, query);
  }),
  route(contract.listProfileTags, (ctx, { query }) => listTags(ctx, query)),
];
