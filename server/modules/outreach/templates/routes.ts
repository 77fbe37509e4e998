import * as contract from '#contracts/saved-templates.ts';
import { route } from '#server/route.ts';
import type { Route } from '#server/route.ts';
import { listTemplates } from './list-templates.ts';
import { presentTemplate } from './present.ts';
import { deleteTemplate, getTemplateRow } from './queries.ts';
import { createTemplate, updateTemplate } from './save-template.ts';

export const templateRoutes: Route[] = [
  route(contract.listTemplates, (ctx, { query }) => listTemplates(ctx, query)),
  route(contract.createTemplate, (ctx, { body }) => createTemplate(ctx, body)),
  route(contract.getTemplate, async (ctx, { params }) => presentTemplate(await getTemplateRow(ctx, params.templateId))),
  route(contract.updateTemplate, (ctx, { params, body }) => updateTemplate(ctx, { ...params, change: body })),
  route(contract.deleteTemplate, async (ctx, { params }) => {
    await deleteTemplate(ctx, params.templateId);
    return undefined;
  }),
];
