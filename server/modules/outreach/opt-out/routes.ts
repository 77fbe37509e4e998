import { Readable } from 'node:stream';
import * as contract from '#contracts/suppressions.ts';
import { ProblemError } from '#server/platform/errors.ts';
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
  route(contract.importSuppressions, async (ctx, _, { request, reply }) => {
    const { body: file } = request;
    if (!(file instanceof Readable)) throw new ProblemError(415, 'unsupported_media_type', 'Send the file as text/csv');
    try {
      return await importSuppressions(ctx, file);
    } catch (error) {
      // The rest of the file is not read: the connection cannot carry another request.
      reply.header('connection', 'close');
      throw error;
    }
  }),
  route(contract.getSuppression, (ctx, { params }) => getSuppression(ctx, params)),
  route(contract.removeSuppression, async (ctx, { params, query }) => {
    await removeSuppression(ctx, { ...params, ...query });
    return undefined;
  }),
  route(contract.getOptOutSettings, (ctx) => getSettings(ctx)),
  route(contract.updateOptOutSettings, (ctx, { body }) => updateSettings(ctx, body)),
];
