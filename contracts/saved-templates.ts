import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageText } from './new-message.ts';
import { ListSearch, SortOrder } from './list-query.ts';
import { Id, IdParam, pageOf, pageQuery, Timestamp } from './page.ts';

/** A message that the account keeps under a name, to begin campaigns, flows and bulk runs with. */
export const SavedTemplate = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  message: z.string().describe('The text.'),
  created_at: Timestamp.describe('When it was made.'),
  updated_at: Timestamp.describe('When it was changed last.'),
});
export type SavedTemplate = z.infer<typeof SavedTemplate>;

export const NewSavedTemplate = z.object({
  name: z
    .string('Enter a name')
    .trim()
    .min(1, 'Enter a name')
    .max(120, 'Use at most 120 characters')
    .describe('Its name, for people.'),
  message: MessageText.describe('The text.'),
});
export type NewSavedTemplate = z.output<typeof NewSavedTemplate>;

export const SavedTemplateChange = NewSavedTemplate.partial();
export type SavedTemplateChange = z.output<typeof SavedTemplateChange>;

export const templateParams = z.object({ templateId: IdParam.describe('Which template.') });

export const listTemplates = endpoint({
  method: 'GET',
  path: '/api/templates',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'templates:read',
  needsSubscription: true,
  summary: 'The saved templates, by name unless it says otherwise',
  query: z.object({
    ...pageQuery(50),
    search: ListSearch.describe(
      'Words of the name and the message, or their parts, in any order and case, with or without accents.',
    ),
    sort: z.enum(['name', 'updated']).default('name').describe('What it is sorted by.'),
    order: SortOrder.optional().describe('Descending unless it says otherwise for times, ascending for text.'),
  }),
  response: { 200: pageOf(SavedTemplate) },
});

export const createTemplate = endpoint({
  method: 'POST',
  path: '/api/templates',
  audit: 'template.created',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'templates:write',
  needsSubscription: true,
  summary: 'Keep a message under a name',
  body: NewSavedTemplate,
  response: { 201: SavedTemplate },
  errors: ['template_exists', 'template_limit'],
});

export const getTemplate = endpoint({
  method: 'GET',
  path: '/api/templates/{templateId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'templates:read',
  needsSubscription: true,
  summary: 'One saved template',
  params: templateParams,
  response: { 200: SavedTemplate },
});

export const updateTemplate = endpoint({
  method: 'PUT',
  path: '/api/templates/{templateId}',
  audit: 'template.changed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'templates:write',
  needsSubscription: true,
  summary: 'Rename a saved template, or change its message; what was made from it stays as it is',
  params: templateParams,
  body: SavedTemplateChange,
  response: { 200: SavedTemplate },
  errors: ['template_exists'],
});

export const deleteTemplate = endpoint({
  method: 'DELETE',
  path: '/api/templates/{templateId}',
  audit: 'template.deleted',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'templates:write',
  needsSubscription: true,
  summary: 'Delete a saved template; what was made from it stays',
  params: templateParams,
  response: { 204: undefined },
});
