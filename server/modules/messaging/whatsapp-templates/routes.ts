import * as contract from '#contracts/whatsapp-templates.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { createWhatsappTemplate, deleteWhatsappTemplate, updateWhatsappTemplate } from './change-templates.ts';
import { getWhatsappTemplate, listWhatsappTemplates } from './list-templates.ts';
import { syncWhatsappTemplates } from './sync-templates.ts';

export const whatsappTemplateRoutes: Route[] = [
  route(contract.listWhatsappTemplates, (ctx, { query }) => listWhatsappTemplates(ctx, query)),
  route(contract.getWhatsappTemplate, (ctx, { params }) => getWhatsappTemplate(ctx, params.whatsappTemplateId)),
  route(contract.createWhatsappTemplate, (ctx, { body }) => createWhatsappTemplate(ctx, body)),
  route(contract.updateWhatsappTemplate, (ctx, { params, body }) =>
    updateWhatsappTemplate(ctx, { ...params, ...body }),
  ),
  route(contract.deleteWhatsappTemplate, async (ctx, { params }) => {
    await deleteWhatsappTemplate(ctx, params);
    return undefined;
  }),
  route(contract.syncWhatsappTemplates, (ctx, { body }) => syncWhatsappTemplates(ctx, body)),
];
