import * as contract from '#contracts/whatsapp-templates.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { getWhatsappTemplate, listWhatsappTemplates } from './list-templates.ts';
import { syncWhatsappTemplates } from './sync-templates.ts';

export const whatsappTemplateRoutes: Route[] = [
  route(contract.listWhatsappTemplates, (ctx, { query }) => listWhatsappTemplates(ctx, query)),
  route(contract.getWhatsappTemplate, (ctx, { params }) => getWhatsappTemplate(ctx, params)),
  route(contract.syncWhatsappTemplates, (ctx, { body }) => syncWhatsappTemplates(ctx, body)),
];
