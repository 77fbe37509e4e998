import { z } from 'zod';
import { entryCursor, entryPageQuery, entryQuery } from './campaigns.ts';
import { boundTemplateField, NewBoundTemplate, templateErrors } from './bound-templates.ts';
import { CarriedMedia, NewCarriedMedia } from './carried-media.ts';
import { maxTextLength } from './message-content.ts';
import { Review, reviewOptions } from './reviews.ts';
import { WaitingReason } from './waiting-reason.ts';
import { endpoint } from './endpoint.ts';
import { flowAudience, FlowChange, NewFlow, requireFlowAudience } from './flow-settings.ts';
import { audienceProjectIds, sourceRules, WhenCapped } from './caps.ts';
import { Expression } from './expressions.ts';
import { GivenTopic } from './topics.ts';
import { entryErrorCode } from './skip-codes.ts';
import { listAnswer, listQuery } from './list-query.ts';
import { Report } from './reports.ts';
import { MessageStatus } from './messages.ts';
import { Id, IdParam, isEstimate, Timestamp } from './page.ts';

export { FlowChange, FlowConditions, FlowDuration, FlowFrequency, NewFlow } from './flow-settings.ts';

/** `counts` are of its deliveries so far; those that the network has not taken yet are waiting. */
export const Flow = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  conditions: z
    .array(
      z.object({
        fieldPath: z.string().describe('A column of the profile, or `custom_fields.` and a dotted path.'),
        operator: z.string().describe('How field and value are compared.'),
        value: z.string().describe('What the field is compared with, as text.'),
      }),
    )
    .describe('All must hold.'),
  expression: Expression.nullable().describe('Whom it is for, in place of conditions; null with conditions.'),
  exclude_segment_ids: z.array(Id).describe('Whoever is in one of these segments gets nothing.'),
  audience_project_ids: audienceProjectIds,
  ...sourceRules,
  duration: z
    .union([
      z.null(),
      z.object({
        type: z.literal('last_minutes').describe('What kind it is.'),
        minutes: z.int().describe('How many minutes.'),
        dateFieldPath: z.string().describe('The field that holds the date.'),
      }),
      z.object({
        type: z.literal('last_hours').describe('What kind it is.'),
        hours: z.int().describe('How many hours.'),
        dateFieldPath: z.string().describe('The field that holds the date.'),
      }),
      z.object({
        type: z.literal('last_days').describe('What kind it is.'),
        days: z.int().describe('How many days.'),
        dateFieldPath: z.string().describe('The field that holds the date.'),
      }),
    ])
    .describe('How recent the date field has to be.'),
  action: z
    .object({
      type: z.literal('send_message').describe('What kind it is.'),
      projectId: Id.describe('Of which project.'),
      project_id: Id.describe('Of which project.'),
      message: z.string().describe('The text.'),
      media: CarriedMedia.nullable().describe('The file that every message carries.'),
      template: boundTemplateField,
    })
    .describe('What is sent, and from which project.'),
  frequency: z
    .object({
      type: z.enum(['lifetime', 'once_per_hours', 'once_per_days']).describe('What kind it is.'),
      value: z
        .int()
        .positive()
        .nullable()
        .describe('How many hours or days lie between two; null: once in a lifetime.'),
    })
    .describe('How often one profile may get it.'),
  active: z.boolean().describe('Whether it runs by itself.'),
  last_run_at: Timestamp.nullable().describe('When it searched last; null: never.'),
  waiting_for: WaitingReason.nullable().describe('What keeps waiting deliveries from going out.'),
  waiting_until: Timestamp.nullable().describe('When they go on at the soonest, where that is known.'),
  last_error: z
    .string()
    .nullable()
    .describe(
      'Why its last search found nobody though it should have: it took too long, say; null once one has ' +
        'succeeded.',
    ),
  next_try_at: Timestamp.nullable().describe(
    'When it searches again by itself after that; null without an error, and while it is inactive.',
  ),
  counts: z
    .object({
      waiting: z.int().nonnegative().describe('How many still wait.'),
      sent: z.int().nonnegative().describe('How many were sent.'),
      failed: z.int().nonnegative().describe('How many failed.'),
      skipped: z.int().nonnegative().describe('How many are left out.'),
      delivered: z.int().nonnegative().describe('How many arrived.'),
      read: z.int().nonnegative().describe('How many were read.'),
      replied: z.int().nonnegative().describe('How many answers came within 7 days.'),
      opted_out: z.int().nonnegative().describe('How many people answered with a word that opts out.'),
      clicked: z.int().nonnegative().describe('How many of its messages had a link that was opened.'),
    })
    .describe('How many, by what became of them.'),
  created_at: Timestamp.describe('When it was made.'),
  updated_at: Timestamp.describe('When it was changed last.'),
});
export type Flow = z.infer<typeof Flow>;

export const DeliveryStatus = z.enum(['waiting', 'pending', 'sent', 'failed', 'skipped']);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const FlowDelivery = z.object({
  id: Id.describe('Its id.'),
  profile_id: Id.describe('The profile.'),
  is_profile_deleted: z.boolean().describe('Whether the profile is gone.'),
  profile_name: z
    .string()
    .nullable()
    .describe('Null once the profile is deleted, and for a caller without `contacts:read`.'),
  phone: z.string().describe('Full number in digits; once the profile is deleted, its last.'),
  project_id: Id.describe('Of which project.'),
  sent_at: Timestamp.nullable().describe('When the network took it; null until then, and where it failed afterwards.'),
  created_at: Timestamp.describe('When it was made.'),
  message: z
    .string()
    .nullable()
    .describe('As it was sent; while waiting, as it would read now. Null for a caller without `messages:read`.'),
  status: DeliveryStatus.describe('How far it has come, or how it is now.'),
  message_id: Id.nullable().describe('The message that it became; null before that.'),
  message_status: MessageStatus.nullable().describe('How far the message itself has come.'),
  error: z.string().nullable().describe('Why it failed, a sentence; null or absent while it has not.'),
  error_code: entryErrorCode,
  replied_at: Timestamp.nullable().describe(
    'When this person first answered, within 7 days and before something else wrote to them; null: not so far.',
  ),
  clicked_at: Timestamp.nullable().describe('When this person first opened a link of it; null: not so far.'),
});
export type FlowDelivery = z.infer<typeof FlowDelivery>;

/** The result of a run; recipients with an invalid number, or who opted out, are skipped and get nothing. */
export const FlowRun = z.object({
  flow: Flow.describe('The flow as it is now.'),
  matched: z.int().nonnegative().describe('How many profiles matched.'),
  queued: z.int().nonnegative().describe('How many get the message.'),
  skipped: z.int().nonnegative().describe('How many are left out.'),
  is_estimate: isEstimate.describe(
    'Whether `matched` and `skipped` are about so many, as counting took too long; `queued` is exact.',
  ),
});
export type FlowRun = z.infer<typeof FlowRun>;

export const flowParams = z.object({ flowId: IdParam.describe('Which flow.') });

export const listFlows = endpoint({
  method: 'GET',
  path: '/api/flows',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'Flows, newest first unless sorted: all of them, or a page',
  query: z.object({
    ...listQuery(['created', 'name', 'last_run'], 'the name'),
    active: z.enum(['true', 'false']).optional().describe('Those that are active alone, or the others alone.'),
    project_id: IdParam.optional().describe('Those of this project alone.'),
  }),
  response: { 200: listAnswer(Flow) },
});

export const createFlow = endpoint({
  method: 'POST',
  path: '/api/flows',
  audit: 'flow.created',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'Send a message by itself to profiles that match',
  body: NewFlow,
  response: { 201: Flow },
  errors: [...templateErrors],
});

export const getFlow = endpoint({
  method: 'GET',
  path: '/api/flows/{flowId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'One flow',
  params: flowParams,
  response: { 200: Flow },
});

export const getFlowReport = endpoint({
  method: 'GET',
  path: '/api/flows/{flowId}/report',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'What came of a flow: how far its messages came, when, and why some failed',
  params: flowParams,
  response: { 200: Report },
});

export const retryFailedDeliveries = endpoint({
  method: 'POST',
  path: '/api/flows/{flowId}/retry-failed',
  audit: 'flow.retried',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'Send again to those whose last message failed in a way that another attempt may mend, and who still match',
  params: flowParams,
  response: { 200: Flow },
  errors: ['nothing_to_retry'],
});

export const updateFlow = endpoint({
  method: 'PUT',
  path: '/api/flows/{flowId}',
  audit: 'flow.changed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'Change what the body names',
  params: flowParams,
  body: FlowChange,
  response: { 200: Flow },
  errors: [...templateErrors],
});

export const deleteFlow = endpoint({
  method: 'DELETE',
  path: '/api/flows/{flowId}',
  audit: 'flow.deleted',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  needsSubscription: true,
  summary: 'Delete a flow: what waits is not sent, what was sent stays in the records',
  params: flowParams,
  response: { 204: undefined },
});

export const runFlow = endpoint({
  method: 'POST',
  path: '/api/flows/{flowId}/run',
  audit: { act: 'flow.run', row: 'around', intent: 'flow.run_requested' },
  idempotency: 'recorded',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'Run now, active or not; who had the message within the frequency does not get it again',
  params: flowParams,
  response: { 200: FlowRun },
  errors: ['too_costly'],
});

export const previewFlowCount = endpoint({
  method: 'POST',
  path: '/api/flows/preview-count',
  audit: 'nothing',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  alsoNeeds: 'contacts:read',
  needsSubscription: true,
  summary:
    'How many profiles match now; `skipped` of them have an invalid number or opted out; `warning`: the settings leave nobody, or hardly anybody',
  body: z.object(flowAudience).superRefine(requireFlowAudience),
  response: {
    200: z.object({
      count: z.int().nonnegative().describe('How many match in all.'),
      skipped: z.int().nonnegative().describe('How many are left out.'),
      is_estimate: isEstimate,
      warning: z
        .string()
        .nullable()
        .describe('A sentence for the person who edits the flow; null when nothing looks wrong.'),
    }),
  },
  errors: ['too_costly'],
});

export const previewFlow = endpoint({
  method: 'POST',
  path: '/api/flows/preview',
  audit: 'nothing',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  alsoNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Who would get the message of a flow that begins now, how it reads, and when all would have it',
  body: z
    .object({
      ...flowAudience,
      message: z
        .string('Enter text')
        .max(maxTextLength, `Use at most ${maxTextLength} characters`)
        .default('')
        .describe('The text.'),
      media: NewCarriedMedia.nullable().optional().describe('The file that it would carry.'),
      template: NewBoundTemplate.nullable().optional().describe('The WhatsApp template that it would be made of.'),
      topic_id: GivenTopic.describe('Which topic.'),
      when_capped: WhenCapped.optional(),
      ...reviewOptions,
    })
    .superRefine(requireFlowAudience),
  response: { 200: Review },
  errors: ['too_costly', ...templateErrors],
});

export const listDeliveries = endpoint({
  method: 'GET',
  path: '/api/flows/{flowId}/deliveries',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'Its deliveries, newest first',
  params: flowParams,
  query: z.object(entryPageQuery),
  response: {
    200: z.object({
      deliveries: z.array(FlowDelivery).describe('Newest first.'),
      total: z.int().nonnegative().describe('How many there are in all.'),
      page: z.int().positive().describe('The page, from 1.'),
      pageSize: z.int().positive().describe('How many to a page, up to 100.'),
      next_cursor: entryCursor,
    }),
  },
});

export const exportDeliveries = endpoint({
  method: 'GET',
  path: '/api/flows/{flowId}/deliveries/export',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'The deliveries as CSV',
  params: flowParams,
  query: z.object(entryQuery),
  produces: 'text/csv',
  response: { 200: z.string() },
});
