import * as contract from '#contracts/account-data.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { requestDeletion, takeDeletionBack } from './delete-account.ts';
import { eraseProfile } from './erase-profile.ts';
import { exportProfile } from './export-profile.ts';
import { downloadArchive, getExport, listExports, startExport, stopExport } from './exports.ts';

export const accountDataRoutes: Route[] = [
  route(contract.startAccountExport, (ctx, { query }, { ip, request }) =>
    startExport(ctx, {
      withFiles: query.files === 'true',
      origin: { ip, userAgent: request.headers['user-agent'] },
    }),
  ),
  route(contract.listAccountExports, async (ctx) => ({ data: await listExports(ctx) })),
  route(contract.getAccountExport, (ctx, { params }) => getExport(ctx, params.exportId)),
  route(contract.stopAccountExport, (ctx, { params }) => stopExport(ctx, params.exportId)),
  route(contract.downloadAccountExport, async (ctx, { params, headers }, { reply }) => {
    const part = { range: headers.range, ifRange: headers['if-range'] };
    const { day, status, headers: own, body } = await downloadArchive(ctx, params.archive, part);
    reply.headers({
      ...own,
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename="dovepost-${day}.zip"`,
    });
    return { status, body };
  }),
  route(contract.deleteAccount, (ctx) => requestDeletion(ctx)),
  route(contract.keepAccount, (ctx) => takeDeletionBack(ctx)),
  route(contract.exportProfile, async (ctx, { params }, { reply }) => {
    const json = await exportProfile(ctx, params);
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': `attachment; filename="contact-${params.profileId}.json"`,
    });
    return json;
  }),
  route(contract.eraseProfile, (ctx, { params }) => eraseProfile(ctx, params)),
];
