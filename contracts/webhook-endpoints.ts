import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, listOf, Moment, overlapHours, pageQuery, Timestamp, WholeNumber } from './page.ts';
import { projectParams } from './projects.ts';
import { WebhookEventType, WebhookRecord, WebhookStatus } from './webhooks.ts';

/** The events that an endpoint gets; `*` is everything but `event.received`, which has to be named. */
const Events = z
  .array(z.union([z.literal('*'), WebhookEventType.exclude(['test'])], 'There is no such event'))
  .min(1, 'Choose at least one event')
  .max(100)
  .transform((events) => [...new Set(events)]);

/** Where events of a project go. The project's webhook_url is the first one. */
export const WebhookEndpoint = z.object({
  id: Id.describe('Its id.'),
  url: z.string().describe('Where events are sent.'),
  events: z.array(z.string()).describe('Which events it gets; `*` alone: all.'),
  description: z.string().nullable().describe('What it is for.'),
  secret: z
    .string()
    .nullable()
    .describe('`whsec_…`, as Standard Webhooks writes it: shown when it is made, and later to a session alone.'),
  is_first: z.boolean().describe("It is the project's webhook_url."),
  paused_at: Timestamp.nullable().describe('Since when its events wait for it to be resumed.'),
  failing_since: Timestamp.nullable().describe('Since when every attempt has failed.'),
  disabled_at: Timestamp.nullable().describe(
    'When it was switched off, as it failed for days or said that it is gone; saving its URL switches it on.',
  ),
  disabled_reason: z.string().nullable().describe('Why it was switched off, a sentence; null while it is on.'),
  waiting: z.int().nonnegative().describe('How many deliveries to it wait; counted up to 1,000.'),
  created_at: Timestamp.describe('When it was made.'),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

const Url = z.string().trim().max(2048).pipe(z.url('Enter a valid URL')).describe('http or https, no credentials');
const Description = z.string().trim().max(200, 'Use at most 200 characters').nullable();

export const NewWebhookEndpoint = z.object({
  url: Url,
  events: Events.describe('Which events it gets; `*` alone: all.'),
  description: Description.optional().describe('What it is for.'),
});
export type NewWebhookEndpoint = z.output<typeof NewWebhookEndpoint>;

export const WebhookEndpointChange = z.object({
  url: Url.optional(),
  events: Events.optional().describe('Which events it gets; `*` alone: all.'),
  description: Description.optional().describe('What it is for.'),
  is_paused: z.boolean().optional().describe('While it is paused its events wait; they go out once it is resumed.'),
});
export type WebhookEndpointChange = z.output<typeof WebhookEndpointChange>;

const endpointParams = z.object({
  projectId: IdParam.describe('Which project.'),
  endpointId: IdParam.describe('Which endpoint.'),
});

export const listWebhookEndpoints = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/webhook-endpoints',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:read',
  needsSubscription: true,
  summary: "A project's webhook endpoints, the first one first",
  params: projectParams,
  response: { 200: listOf(WebhookEndpoint) },
});

export const createWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/webhook-endpoints',
  audit: 'webhook_endpoint.created',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  summary: 'Add a webhook endpoint; without any, it becomes the webhook_url of the project',
  params: projectParams,
  body: NewWebhookEndpoint,
  response: { 201: WebhookEndpoint },
  errors: ['endpoint_limit'],
});

export const updateWebhookEndpoint = endpoint({
  method: 'PUT',
  path: '/api/projects/{projectId}/webhook-endpoints/{endpointId}',
  audit: 'webhook_endpoint.changed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  summary: 'Change, pause or resume a webhook endpoint; what waits goes to a changed URL',
  params: endpointParams,
  body: WebhookEndpointChange,
  response: { 200: WebhookEndpoint },
});

export const deleteWebhookEndpoint = endpoint({
  method: 'DELETE',
  path: '/api/projects/{projectId}/webhook-endpoints/{endpointId}',
  audit: 'webhook_endpoint.deleted',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  summary: 'Delete a webhook endpoint; what waits for it fails',
  params: endpointParams,
  response: { 204: undefined },
});

export const rotateEndpointSecret = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/webhook-endpoints/{endpointId}/secret/rotate',
  audit: 'webhook_endpoint.secret_rotated',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  confirmsIdentity: true,
  summary: 'Replace its signing secret; the old one signs beside the new one for `overlap_hours`',
  params: endpointParams,
  body: z.object({ overlap_hours: overlapHours(24).describe('How long the old one goes on, hours.') }),
  response: { 200: WebhookEndpoint },
});

export const testWebhookEndpoint = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/webhook-endpoints/{endpointId}/test',
  audit: 'webhook_endpoint.tested',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  summary: 'Send it a test event',
  params: endpointParams,
  response: { 201: WebhookRecord },
  errors: ['no_webhook_url', 'webhook_disabled'],
});

/** An event, as webhooks carry it. */
export const ProjectEvent = z.object({
  sequence: z.int().positive().describe('Grows by one with each event of the project.'),
  event_id: z.string().describe('The `webhook-id` header: the same for every attempt, and for every endpoint.'),
  type: WebhookEventType.describe('What kind it is.'),
  timestamp: Timestamp.describe('When it happened.'),
  data: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('What the event is about; null for a caller without the permission `messages:read`.'),
});
export type ProjectEvent = z.infer<typeof ProjectEvent>;

export const listEvents = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/events',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:read',
  needsSubscription: true,
  summary: 'The events of a project after a sequence, oldest first, without gaps: to read what was missed',
  params: projectParams,
  query: z.object({
    after_sequence: WholeNumber.pipe(z.int().max(Number.MAX_SAFE_INTEGER))
      .default(0)
      .describe('The sequence of the last event that you have; 0: from the beginning.'),
    limit: pageQuery(100).pageSize,
  }),
  response: {
    200: z.object({
      data: z.array(ProjectEvent).describe('The entries.'),
      next_after: z
        .int()
        .nonnegative()
        .describe('For `after_sequence`, now or later; the same as was asked with where there is nothing more.'),
    }),
  },
});

export const replayWebhooks = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/webhooks/replay',
  audit: 'project.webhooks_replayed',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  summary: 'Deliver again what was recorded since a time, under the same ids, up to 10,000 records',
  params: projectParams,
  body: z.object({
    since: Moment.describe('From that moment on.'),
    until: Moment.optional().describe('Up to that moment.'),
    status: WebhookStatus.extract(['success', 'failed'])
      .optional()
      .describe('Only those with this status; else all that do not wait anyway.'),
    types: z.array(WebhookEventType).min(1).max(100).optional().describe('Events of these types alone.'),
    endpoint_id: Id.optional().describe('Of which endpoint.'),
  }),
  response: {
    202: z.object({
      replayed: z.int().nonnegative().describe('How many are delivered again.'),
      next_since: Timestamp.nullable().describe(
        'Where there were more than 10,000: go on from the first that was left, with this as `since`.',
      ),
    }),
  },
});
