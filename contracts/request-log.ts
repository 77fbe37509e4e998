import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdCursor, IdParam, Moment, pageQuery, Timestamp } from './page.ts';
import { projectParams } from './projects.ts';

export const RequestMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The kind of key of a request. */
export const RequestCaller = z.enum(['auth_key', 'project_key', 'api_key']);

/** A request that a program made for a project. Its body is outlined, and not kept. */
export const ApiRequest = z.object({
  id: Id.describe('Its id.'),
  created_at: Timestamp.describe('When it was answered.'),
  request_id: z.string().describe('As the `request-id` header of the answer and a problem name it.'),
  method: RequestMethod,
  path: z.string().describe('With the names of its query, and no phone number.'),
  status: z.int().describe('Of HTTP.'),
  code: z.string().nullable().describe('Of the problem; null where it succeeded.'),
  duration_ms: z.int().nonnegative().describe('From its arrival to the end of the answer.'),
  caller: RequestCaller,
  key_id: Id.nullable().describe('Of the project key; null for the auth key and the api_key.'),
  key_name: z.string().nullable().describe('Null where there is none, or it was deleted.'),
  body: z
    .string()
    .nullable()
    .describe('The fields of the JSON body and how long their texts were, cut off at 2,000 characters.'),
  omitted: z.int().nonnegative().describe('How many before it were too many in a minute to be noted one by one.'),
});
export type ApiRequest = z.infer<typeof ApiRequest>;

export const listApiRequests = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/requests',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'projects:read',
  needsSubscription: true,
  summary: 'The requests that programs made for a project in the last 30 days, newest first',
  params: projectParams,
  query: z.object({
    method: RequestMethod.optional().describe('Only those of this method.'),
    outcome: z
      .enum(['success', 'refused', 'failed'])
      .optional()
      .describe('`success` is a status below 400, `failed` one from 500 on, `refused` what lies between.'),
    code: z.string().max(60).optional().describe('Stable, snake_case: decide by it.'),
    path: z.string().max(200).optional().describe('A part of it.'),
    request_id: z.string().max(80).optional().describe('Only the one with this id.'),
    caller: RequestCaller.optional().describe('Only those made with this kind of key.'),
    key_id: IdParam.optional().describe('Only those made with this project key.'),
    created_after: Moment.optional().describe('Only those from then on.'),
    created_before: Moment.optional().describe('Only those before.'),
    after: IdCursor,
    limit: pageQuery(50).pageSize,
  }),
  response: {
    200: z.object({
      data: z.array(ApiRequest).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});
