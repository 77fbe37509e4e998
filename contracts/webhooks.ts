import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, pageOf, pageQuery, Timestamp } from './page.ts';
import { projectParams } from './projects.ts';

export const WebhookEventType = z.enum([
  'message.received',
  'message.sent',
  'message.delivered',
  'message.read',
  'message.failed',
  'message.reaction',
  'message.edited',
  'message.deleted',
  'message.poll_vote',
  'message.media_stored',
  'message.media_failed',
  'call.received',
  'conversation.assigned',
  'conversation.done',
  'phone.connected',
  'phone.disconnected',
  'phone.auth_failed',
  'phone.banned',
  'phone.limited',
  'phone.recovered',
  'contact.opted_out',
  'contact.opted_in',
  'contact.changed',
  'campaign.completed',
  'campaign.failed',
  'campaign.paused',
  'bulk_run.completed',
  'import.completed',
  'event.received',
  'subscription.activated',
  'subscription.past_due',
  'subscription.suspended',
  'subscription.cancelled',
  'subscription.expired',
  'test',
]);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** Only endpoints that name them get these: there may be thousands a minute. */
export const namedOnlyEvents: readonly WebhookEventType[] = ['event.received'];

/** So many `event.received` an hour an account sends to each of its projects. */
export const maxEventsAnHour = 20_000;

/**
 * The body that a customer's server receives; signed according to Standard Webhooks. `data` is what the event is about.
 */
export const WebhookPayload = z.object({
  id: z.string().describe('The `webhook-id` header: the same for every attempt, and for every endpoint.'),
  type: WebhookEventType.describe('What kind it is.'),
  timestamp: Timestamp.describe('When it happened.'),
  data: z.record(z.string(), z.unknown()).describe('The message or the phone number as it was right after.'),
  sequence: z
    .int()
    .positive()
    .optional()
    .describe('Grows by one with each event of the project: a gap is an event that was missed. None for a test.'),
});
export type WebhookPayload = z.infer<typeof WebhookPayload>;

export const WebhookStatus = z.enum(['success', 'failed', 'pending']);
export type WebhookStatus = z.infer<typeof WebhookStatus>;

/** An attempt to deliver a record. */
export const WebhookAttempt = z.object({
  at: Timestamp.describe('When it was made.'),
  status_code: z.int().nullable().describe('What the endpoint answered; null for no answer.'),
  duration_ms: z.int().nonnegative().describe('How long it took, milliseconds.'),
  error: z.string().nullable().describe('Why it failed, a sentence; null or absent while it has not.'),
  answer: z.string().nullable().describe("How the answer's body begins."),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

export const WebhookRecord = z.object({
  id: Id.describe('Its id.'),
  event_id: z.string().describe('The `webhook-id` header: the same for every attempt, and for every endpoint.'),
  sequence: z.int().positive().nullable().describe('Grows by one with each event of the project.'),
  endpoint_id: Id.nullable().describe("Null: the project's first endpoint, its webhook_url."),
  url: z.string().describe('Where it was sent.'),
  type: WebhookEventType.describe('What kind it is.'),
  payload: WebhookPayload.nullable().describe('Null for a caller without the permission `messages:read`.'),
  status: WebhookStatus.describe('How far it has come, or how it is now.'),
  error: z.string().nullable().describe('Why it failed, a sentence; null or absent while it has not.'),
  attempts: z.int().nonnegative().describe('How often it was tried.'),
  last_status_code: z.int().nullable().describe('What the endpoint answered last; null for no answer.'),
  next_attempt_at: Timestamp.nullable().describe('When the next attempt is due; null when none is.'),
  created_at: Timestamp.describe('When it was made.'),
});
export type WebhookRecord = z.infer<typeof WebhookRecord>;

export const listWebhooks = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/webhooks',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:read',
  needsSubscription: true,
  summary: 'The webhook records of a project, newest first',
  params: projectParams,
  query: z.object({
    ...pageQuery(10),
    status: WebhookStatus.optional().describe('Those with this status alone.'),
    type: WebhookEventType.optional().describe('Those of this kind alone.'),
    endpoint_id: IdParam.optional().describe('Of which endpoint.'),
  }),
  response: { 200: pageOf(WebhookRecord) },
});

export const getWebhook = endpoint({
  method: 'GET',
  path: '/api/webhooks/{webhookId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:read',
  needsSubscription: true,
  summary: 'One webhook record, with its attempts',
  params: z.object({ webhookId: IdParam.describe('Which webhook record.') }),
  response: { 200: WebhookRecord.extend({ history: z.array(WebhookAttempt).describe('Its attempts, newest first.') }) },
});

/** Whether the project's webhook URL takes what it is sent, by the newest deliveries to it. */
export const WebhookHealth = z.object({
  is_failing: z.boolean().describe('The newest deliveries have failed, and not just at their first attempt.'),
  failures: z
    .int()
    .nonnegative()
    .describe('How many deliveries have failed since the last success; counted up to 100.'),
  failing_since: Timestamp.nullable().describe('When the first of them was recorded.'),
  error: z.string().nullable().describe('Why the newest failed.'),
});
export type WebhookHealth = z.infer<typeof WebhookHealth>;

export const getWebhookHealth = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/webhooks/health',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:read',
  needsSubscription: true,
  summary: "Whether the project's webhook URL takes what it is sent",
  params: projectParams,
  response: { 200: WebhookHealth },
});

export const retryWebhook = endpoint({
  method: 'POST',
  path: '/api/webhooks/{webhookId}/retry',
  audit: 'webhook.retried',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  summary: 'Deliver a record again, now, to the URL the project has today',
  params: z.object({ webhookId: IdParam.describe('Which webhook record.') }),
  response: { 200: WebhookRecord },
  errors: ['no_webhook_url', 'webhook_disabled'],
});

export const sendTestEvent = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/webhook/test',
  audit: 'project.webhook_tested',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  summary: 'Send a test event to the webhook URL',
  params: projectParams,
  response: { 201: WebhookRecord },
  errors: ['no_webhook_url', 'webhook_disabled'],
});
