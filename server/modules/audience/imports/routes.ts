import * as contract from '#contracts/profile-imports.ts';
import { NotFoundError } from '#server/platform/errors.ts';
import { bytesOf } from '#server/platform/http/accept-only.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { downloadRejectedRows } from './download-rejected-rows.ts';
import { listImportRows } from './list-import-rows.ts';
import { presentImport } from './present.ts';
import { findImportRecords, getImportRecord } from './queries.ts';
import { startImport } from './start-import.ts';
import { removeImport, uploadImport } from './upload-import.ts';

export const profileImportRoutes: Route[] = [
  route(contract.uploadProfileImport, async (ctx, { query }, { request }) => {
    const file = bytesOf(request, 'Send the file as text/csv');
    return uploadImport(ctx, { fileName: query.file_name ?? null, file });
  }),
  route(contract.listProfileImports, async (ctx) => ({ data: (await findImportRecords(ctx)).map(presentImport) })),
  route(contract.getProfileImport, async (ctx, { params }) => {
    return presentImport(await getImportRecord(ctx, params.importId));
  }),
  route(contract.checkProfileImport, async (ctx, { params, body }) => {
    return startImport(ctx, { ...params, status: 'checking', plan: body });
  }),
  route(contract.runProfileImport, async (ctx, { params, body }) => {
    return startImport(ctx, { ...params, status: 'importing', plan: body });
  }),
  route(contract.deleteProfileImport, async (ctx, { params }) => {
    if (!(await removeImport(ctx, params.importId))) throw new NotFoundError('Import');
    return undefined;
  }),
  route(contract.listImportRows, (ctx, { params, query }) => listImportRows(ctx, { ...params, ...query })),
  route(contract.downloadRejectedRows, async (ctx, { params }, { reply }) => {
    const csv = await downloadRejectedRows(ctx, params);
    reply.header('content-disposition', 'attachment; filename="rejected-rows.csv"');
    return csv;
  }),
];
