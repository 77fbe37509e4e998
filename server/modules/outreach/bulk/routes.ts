import * as contract from '#contracts/bulk-runs.ts';
import type { BulkRow } from '#contracts/bulk-runs.ts';
import { countEntries, pageOfEntries } from '#server/modules/outreach/recipients/index.ts';
import { bytesOf } from '#server/platform/http/accept-only.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { pauseBulkRun, resumeBulkRun, startBulkRun, stopBulkRun, updateBulkRun } from './change-bulk-run.ts';
import { createBulkRun } from './create-bulk-run.ts';
import { deleteBulkRun } from './delete-bulk-run.ts';
import { duplicateBulkRun } from './duplicate-bulk-run.ts';
import { listBulkRuns } from './list-bulk-runs.ts';
import { presentBulkRun } from './present.ts';
import { getBulkRunRow } from './queries.ts';
import { reportBulkRun, retryFailedRows } from './report-bulk-run.ts';
import { exportRows } from './rows/export-rows.ts';
import { findChanges, findRows, narrowRows } from './rows/find-rows.ts';
import type { FoundRow } from './rows/find-rows.ts';
import { reviewRows } from './rows/review-rows.ts';
import { uploadRows } from './rows/upload-rows.ts';

function presentRow({ fields: ofFile, ...row }: FoundRow): BulkRow {
  return { ...row, name: ofFile['name'] || null };
}

export const bulkRunRoutes: Route[] = [
  route(contract.listBulkRuns, (ctx, { query }) => listBulkRuns(ctx, query)),
  route(contract.createBulkRun, (ctx, { body }) => createBulkRun(ctx, body)),
  route(contract.getBulkRun, async (ctx, { params }) => presentBulkRun(await getBulkRunRow(ctx, params.runId))),
  route(contract.updateBulkRun, (ctx, { params, body }) => updateBulkRun(ctx, { ...params, change: body })),
  route(contract.uploadBulkRows, async (ctx, { params, query }, { request }) => {
    await getBulkRunRow(ctx, params.runId);
    const file = bytesOf(request, 'Send the rows as text/csv');
    return uploadRows(ctx, { ...params, file, defaultCountry: query.default_country });
  }),
  route(contract.previewBulkRun, (ctx, { params, body }) => reviewRows(ctx, { ...params, change: body })),
  route(contract.getBulkRunReport, (ctx, { params }) => reportBulkRun(ctx, params)),
  route(contract.retryFailedRows, (ctx, { params }) => retryFailedRows(ctx, params)),
  route(contract.duplicateBulkRun, (ctx, { params }) => duplicateBulkRun(ctx, params)),
  route(contract.startBulkRun, (ctx, { params }) => startBulkRun(ctx, params)),
  route(contract.pauseBulkRun, (ctx, { params }) => pauseBulkRun(ctx, params)),
  route(contract.resumeBulkRun, (ctx, { params }) => resumeBulkRun(ctx, params)),
  route(contract.stopBulkRun, (ctx, { params }) => stopBulkRun(ctx, params)),
  route(contract.deleteBulkRun, async (ctx, { params }) => {
    await deleteBulkRun(ctx, params);
    return undefined;
  }),
  route(contract.listBulkRows, async (ctx, { params, query }) => {
    const run = await getBulkRunRow(ctx, params.runId);
    const narrowed = await narrowRows(ctx, run, query);
    const page = await pageOfEntries(query, {
      read: (slice) => findRows(ctx, run, narrowed, slice),
      keyOf: ({ row }) => row,
    });
    const total = await countEntries(ctx, narrowed, run);
    return { ...page, data: page.data.map(presentRow), total, page: query.page, pageSize: query.pageSize };
  }),
  route(contract.listBulkRowChanges, async (ctx, { params, query }) => {
    return findChanges(ctx, await getBulkRunRow(ctx, params.runId), query);
  }),
  route(contract.exportBulkRows, async (ctx, { params, query }, { reply }) => {
    const csv = await exportRows(ctx, { ...params, ...query });
    reply.header('content-disposition', `attachment; filename="bulk-run-${params.runId}.csv"`);
    return csv;
  }),
];
