import * as contract from '#contracts/suppressions.ts';
import { bytesOf } from '#server/platform/http/accept-only.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { addSuppression } from './list/add-suppression.ts';
import { exportSuppressions } from './list/export-suppressions.ts';
import { getSuppression } from './list/get-suppression.ts';
import { importSuppressions } from './list/import-suppressions.ts';
import { listSuppressions } from './list/list-suppressions.ts';
import { removeSuppression } from './list/remove-suppression.ts';
import { getSettings, updateSettings } from './update-settings.ts';

export const optOutRoutes: Route[] = [
  route(contract.listSuppressions, (ctx, { query }) => listSuppressions(ctx, query)),
  route(contract.addSuppression, (ctx, { body }) => addSuppression(ctx, body)),
  route(contract.exportSuppressions, async (ctx, _, { reply }) => {
    reply.header('content-disposition', 'attachment; filename="opted-out.csv"');
    return exportSuppressions(ctx);
  }),
  route(contract.importSuppressions, async (ctx, _, { request }) => {
    const file = bytesOf(request, 'Send the file as text/csv');
    return importSuppressions(ctx, file);
  }),
  route(contract.getSuppression, (ctx, { params }) => getSuppression(ctx, params)),
  route(contract.removeSuppression, async (ctx, { params, query }) => {
    await removeSuppression(ctx, { ...params, ...query });
    return undefined;
  }),
  route(contract.getOptOutSettings, (ctx) => getSettings(ctx)),
  route(contract.updateOptOutSettings, (ctx, { body }) => updateSettings(ctx, body)),
];
