import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, listOf, Timestamp } from './page.ts';

export const ViewedList = z.enum([
  'profiles',
  'campaigns',
  'flows',
  'segments',
  'phones',
  'messages',
  'templates',
  'bulk_runs',
]);
export type ViewedList = z.infer<typeof ViewedList>;

/** A list as somebody wants to see it again. */
export const SavedView = z.object({
  id: Id.describe('Its id.'),
  list: ViewedList,
  name: z.string().describe('Its name, for people.'),
  search: z.string().describe('What the address of the page says after its question mark.'),
  created_at: Timestamp.describe('When it was made.'),
});
export type SavedView = z.infer<typeof SavedView>;

export const SavedViewName = z
  .string('Enter a name')
  .trim()
  .min(1, 'Enter a name')
  .max(60, 'Use at most 60 characters')
  .refine((text) => text.isWellFormed() && !text.includes('\u0000'), 'The name holds a character that cannot be stored')
  .describe('A list has each name once, whatever the case.');

const fields = {
  name: SavedViewName,
  search: z
    .string()
    .max(2000, 'Use at most 2000 characters')
    .refine(
      (text) => text.isWellFormed() && !text.includes('\u0000'),
      'The text holds a character that cannot be stored',
    )
    .describe('What the address of the page says after its question mark.'),
};

const NewSavedView = z.object({ list: ViewedList, ...fields });
export type NewSavedView = z.output<typeof NewSavedView>;
const viewParams = z.object({ viewId: IdParam.describe('The view.') });

export const listSavedViews = endpoint({
  method: 'GET',
  path: '/api/saved-views',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'account:read',
  needsSubscription: true,
  summary: 'The saved views of a list, in the order of their names',
  query: z.object({ list: ViewedList.describe('Of which list.') }),
  response: { 200: listOf(SavedView) },
});

export const createSavedView = endpoint({
  method: 'POST',
  path: '/api/saved-views',
  audit: 'view.created',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'views:write',
  needsSubscription: true,
  summary: 'Save a list as it is shown, by a name; at most 50 for each list',
  body: NewSavedView,
  response: { 201: SavedView },
});

export const updateSavedView = endpoint({
  method: 'PUT',
  path: '/api/saved-views/{viewId}',
  audit: 'view.changed',
  callers: ['user', 'api_key'],
  permission: 'views:write',
  needsSubscription: true,
  summary: 'Change the name of a saved view, or what it shows',
  params: viewParams,
  body: z.object(fields).partial(),
  response: { 200: SavedView },
});

export const deleteSavedView = endpoint({
  method: 'DELETE',
  path: '/api/saved-views/{viewId}',
  audit: 'view.deleted',
  callers: ['user', 'api_key'],
  permission: 'views:write',
  needsSubscription: true,
  summary: 'Delete a saved view; the list stays as it is',
  params: viewParams,
  response: { 204: undefined },
});
