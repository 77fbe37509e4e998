import { z } from 'zod';
import { targetTypes } from './audit-acts.ts';
import { endpoint } from './endpoint.ts';
import { ListSearch } from './list-query.ts';
import { Id, IdCursor, IdParam, Moment, pageQuery, Timestamp } from './page.ts';

export const AuditEvent = z.object({
  id: Id.describe('Its id.'),
  created_at: Timestamp.describe('When it was made.'),
  actor: z
    .object({
      type: z.enum(['user', 'key', 'api_key', 'system']).describe('`key` is a key of a project.'),
      id: Id.nullable().describe("The user's or the key's; null for the api_key, an auth key and the product itself."),
      name: z.string().describe('As it was then.'),
    })
    .describe('Who did it.'),
  action: z.string().describe('Such as `campaign.started`.'),
  target: z
    .object({
      type: z.enum(targetTypes).describe('What kind it is.'),
      id: Id.nullable().describe('Its id.'),
      name: z.string().nullable().describe('As it was then.'),
    })
    .describe('The thing that it was done to.'),
  changes: z
    .record(
      z.string(),
      z.object({
        before: z.unknown().describe('The value that it had; null: none.'),
        after: z.unknown().describe('The value that it has since; null: none.'),
        hidden: z.literal(true).optional().describe('It changed, and its value is not logged: a text or a secret.'),
      }),
    )
    .describe('By field; empty where the action says all.'),
  address: z.string().nullable().describe('Where the request came from.'),
  program: z.string().nullable().describe('The `user-agent` of the request.'),
  request_id: z.string().nullable().describe('As the answer named it in `request-id`.'),
});
export type AuditEvent = z.infer<typeof AuditEvent>;

export const AuditFilter = z.object({
  actor: z
    .string()
    .regex(
      /^(user|key)(:\d{1,16})?$|^(api_key|system)$|^\d{1,16}$/,
      'Use a user’s id, user:1, key:1, api_key or system',
    )
    .optional()
    .describe("A user's id, `key:` and the id of a key, or `user`, `key`, `api_key`, `system` for all of a type."),
  action: z
    .string()
    .regex(/^[a-z_]{1,40}(\.[a-z_]{0,60})?$/, 'Use an action, such as campaign.started')
    .optional()
    .describe('One, such as `campaign.started`, or all of a type: `campaign.`'),
  target: z
    .string()
    .regex(new RegExp(`^(${targetTypes.join('|')})(:\\d{1,16})?$`), 'Use a type, or type:id, such as campaign:12')
    .optional()
    .describe('A type, such as `campaign`, or with an id: `campaign:12`.'),
  project_id: IdParam.optional().describe(
    'Only what was done to a project, and to its phones, keys, endpoints, conversations, campaigns, flows and bulk runs. Of a deleted thing only what names its project.',
  ),
  search: ListSearch.describe(
    'Words of who did it, of what it was done to, of the action and of the address, or their parts, in any order and case, with or without accents; of a number its digits.',
  ),
  created_after: Moment.optional().describe('Only what was done from then on.'),
  created_before: Moment.optional().describe('Only what was done before.'),
});

/** Entries beyond it are not counted. */
export const mostCountedEvents = 10_000;

const read = { callers: ['user', 'api_key'], permission: 'audit:read', needsSubscription: false } as const;

export const listAuditEvents = endpoint({
  ...read,
  method: 'GET',
  path: '/api/audit-events',
  reads: 'page',
  summary: 'Who did what in the account, in the last 400 days, newest first',
  query: AuditFilter.extend({
    after: IdCursor,
    limit: pageQuery(50).pageSize,
    count: z.enum(['true', 'false']).default('false').describe('`true` answers `total` too.'),
  }),
  response: {
    200: z.object({
      data: z.array(AuditEvent).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
      total: z
        .int()
        .nonnegative()
        .optional()
        .describe('With `count`: how many entries there are on all pages; 10,001 where there are more than 10,000.'),
    }),
  },
});

export const exportAuditEvents = endpoint({
  ...read,
  method: 'GET',
  path: '/api/audit-events/export',
  summary: 'The same as CSV, newest first',
  query: AuditFilter,
  produces: 'text/csv',
  response: { 200: z.string() },
});
