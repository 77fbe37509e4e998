import { z } from 'zod';
import { AllowUnknown } from './conditions.ts';
import { boundTemplateField, templateErrors } from './bound-templates.ts';
import { carriedFields, carriedTextRule } from './carried-content.ts';
import { CarriedMedia } from './carried-media.ts';
import { endpoint, otherNames } from './endpoint.ts';
import { ExcludedSegments, Expression } from './expressions.ts';
import { GivenExpression } from './given-expression.ts';
import { audienceProjectIds, givenRules, sourceRules, WhenCapped } from './caps.ts';
import { GivenTopic } from './topics.ts';
import { EntryCode, entryErrorCode, skips } from './skip-codes.ts';
import { listAnswer, ListSearch, listQuery } from './list-query.ts';
import { maxTextLength } from './message-content.ts';
import { MessageStatus } from './messages.ts';
import { Id, IdCursor, IdParam, pageOf, pageQuery, Timestamp, WrittenMoment } from './page.ts';
import { Review, reviewOptions } from './reviews.ts';
import { WaitingReason } from './waiting-reason.ts';
import { Report } from './reports.ts';

/**
 * `scheduled`: its time has not come; `creating`: the snapshot of the segment's members is being taken; `running`, `paused`;
 * `completed`: everybody has been dealt with; `failed`: nothing could be sent; `cancelled`: what was left is not sent.
 */
export const CampaignStatus = z.enum([
  'scheduled',
  'creating',
  'running',
  'paused',
  'completed',
  'failed',
  'cancelled',
]);
export type CampaignStatus = z.infer<typeof CampaignStatus>;

/** `total_count` = `waiting_count` + `sent_count` + `failed_count` + `skipped_count`, at any moment. */
export const Campaign = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  project_id: Id.describe('Of which project.'),
  segment_id: Id.nullable().describe('Null where it has an expression of its own.'),
  segment_name: z
    .string()
    .nullable()
    .describe('Null without a segment, once it is deleted, and for a caller without `contacts:read`.'),
  expression: Expression.nullable().describe(
    'Whom it goes to, in place of a segment. Null with a segment, and for a caller without `contacts:read`.',
  ),
  exclude_segment_ids: z.array(Id).describe('Whoever is in one of these segments gets nothing.'),
  audience_project_ids: audienceProjectIds,
  ...sourceRules,
  message: z.string().describe('The text.'),
  media: CarriedMedia.nullable().describe('The file that every message carries.'),
  template: boundTemplateField,
  status: CampaignStatus.describe('How far it has come, or how it is now.'),
  error: z.string().nullable().describe('Why it is `failed`, or was paused by itself.'),
  waiting_for: WaitingReason.nullable().describe('What keeps it from going on; null when nothing does.'),
  waiting_until: Timestamp.nullable().describe('When it goes on at the soonest, where that is known.'),
  total_count: z.int().nonnegative().describe('How many it is for.'),
  sent_count: z.int().nonnegative().describe('How many the network took.'),
  failed_count: z.int().nonnegative().describe('How many failed.'),
  skipped_count: z
    .int()
    .nonnegative()
    .describe(
      'Invalid numbers, people who opted out, empty messages, and members who have left the segment before ' +
        'their turn.',
    ),
  waiting_count: z.int().nonnegative().describe('How many still wait.'),
  delivered_count: z.int().nonnegative().describe('How many arrived.'),
  read_count: z.int().nonnegative().describe('How many were read.'),
  replied_count: z
    .int()
    .nonnegative()
    .describe('How many people answered within 7 days, before something else wrote to them.'),
  opted_out_count: z.int().nonnegative().describe('How many people answered with a word that opts out.'),
  clicked_count: z.int().nonnegative().describe('How many people opened a link of it.'),
  when: Timestamp.nullable().describe('When it is to start; null: at once.'),
  duration: z
    .int()
    .positive()
    .nullable()
    .describe('Minutes over which it is spread; null: as fast as the phones allow.'),
  recheck_members: z
    .boolean()
    .nullable()
    .describe(
      'Whether who has left the segment meanwhile is skipped; null: from an hour after the members were read on.',
    ),
  created_at: Timestamp.describe('When it was made.'),
  started_at: Timestamp.nullable().describe('When it began; null until then.'),
  finished_at: Timestamp.nullable().describe('When it was over; null until then.'),
});
export type Campaign = z.infer<typeof Campaign>;

/** The `data` of its events. */
export const CampaignEvent = Campaign.extend({ skips });
export type CampaignEvent = z.infer<typeof CampaignEvent>;

const CampaignName = z.string('Enter a name').trim().min(1, 'Enter a name').max(120, 'Use at most 120 characters');

const When = WrittenMoment.nullable();
const Minutes = z
  .int('Enter whole minutes')
  .min(1, 'Use at least 1 minute')
  .max(43_200, 'Use at most 30 days')
  .nullable();

const fields = z.object({
  name: CampaignName.describe('Its name, for people.'),
  project_id: z.int('Choose a project').positive('Choose a project').describe('Of which project.'),
  segment_id: z
    .int('Choose a segment')
    .positive('Choose a segment')
    .nullable()
    .optional()
    .describe('Whom it goes to: a segment, or an `expression` in its place.'),
  expression: GivenExpression.nullable().optional().describe('Whom it goes to, in place of a segment.'),
  exclude_segment_ids: ExcludedSegments.optional(),
  ...givenRules,
  allow_unknown: AllowUnknown.optional().describe('Saves it although no profile has the field yet.'),
  ...carriedFields,
  when: When.optional()
    .register(otherNames, { names: ['send_at', 'sendAt', 'scheduled_at', 'scheduled_for'] })
    .describe('When it is to start; null: at once.'),
  duration: Minutes.optional().describe('Minutes over which it is spread; null: as fast as the phones allow.'),
  recheck_members: z
    .boolean('Enter true, false or null')
    .nullable()
    .optional()
    .describe(
      'Whether who has left the segment meanwhile is skipped; null: from an hour after the members were read on.',
    ),
});

type GivenAudience = { segment_id?: number | null | undefined; expression?: Expression | null | undefined };

function requireOneAudience({ segment_id: id, expression }: GivenAudience, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  if (!id && !expression) refuse('segment_id', 'Choose a segment');
  refuseBothAudiences({ segment_id: id, expression }, context);
}

function refuseBothAudiences({ segment_id: id, expression }: GivenAudience, context: z.RefinementCtx): void {
  if (!id || !expression) return;
  context.addIssue({ code: 'custom', path: ['expression'], message: 'Give either a segment or an expression' });
}

export const NewCampaign = fields.superRefine(requireOneAudience).superRefine(...carriedTextRule);
export type NewCampaign = z.output<typeof NewCampaign>;

/** A file that is not named stays; another one goes with what has not gone out. */
export const CampaignChange = fields.partial().superRefine(refuseBothAudiences);
export type CampaignChange = z.output<typeof CampaignChange>;

/** `pending`: handed to a phone, no answer of the network yet. */
export const RecipientStatus = z.enum(['waiting', 'pending', 'sent', 'failed', 'skipped']);
export type RecipientStatus = z.infer<typeof RecipientStatus>;

/** The filters of the entries of a campaign, a flow or a bulk run. */
export const EntryFilter = z.enum([...RecipientStatus.options, 'delivered', 'read', 'replied', 'clicked', 'opted_out']);
export type EntryFilter = z.infer<typeof EntryFilter>;

/** `?status=&error_code=&reason=&link=&search=` of the entries of a campaign, a flow or a bulk run. */
export const entryQuery = {
  status: EntryFilter.optional().describe(
    'One of the states, or how far the messages came: `delivered` (those that were read, too), `read`, `replied` (who ' +
      'answered within 7 days, before something else wrote to them), `clicked` (who opened a link), `opted_out` (who ' +
      'answered with a word that opts out).',
  ),
  error_code: z
    .enum([...EntryCode.options, 'none'])
    .optional()
    .describe('Those that failed or were skipped for this reason; `none`: failed ones of which the code is not known.'),
  reason: z
    .string()
    .trim()
    .max(1000, 'Use at most 1000 characters')
    .optional()
    .describe(
      'Those that failed or were skipped with this sentence, as the `failures` and `skips` of the report say it.',
    ),
  link: z
    .string()
    .max(2000, 'Use at most 2000 characters')
    .optional()
    .describe('Those who opened this link, as the `links` of the report name it.'),
  search: ListSearch.describe('Part of the name, the email or the number; of a number only the digits count.'),
};

/** The same with pages, by number or from a cursor on. */
export const entryPageQuery = { ...pageQuery(50), ...entryQuery, after: IdCursor };

/** Of a page of entries. */
export const entryCursor = z.string().nullable().describe('For `after`; null on the last page.');

export const Recipient = z.object({
  profile_id: Id.describe('The profile.'),
  is_profile_deleted: z.boolean().describe('Whether the profile is gone.'),
  name: z.string().nullable().describe('Null once the profile is deleted, and for a caller without `contacts:read`.'),
  phone: z.string().describe('Full number in digits; once the profile is deleted, its last.'),
  status: RecipientStatus.describe('How far it has come, or how it is now.'),
  message_status: MessageStatus.nullable().describe('How far the message itself has come.'),
  message_id: Id.nullable().describe('The message that it became; null before that.'),
  error: z.string().nullable().describe('Why it failed or was skipped.'),
  error_code: entryErrorCode,
  changed_at: Timestamp.nullable().describe('When the status became what it is; null while waiting.'),
  replied_at: Timestamp.nullable().describe(
    'When this person first answered, within 7 days and before something else wrote to them; null: not so far.',
  ),
  clicked_at: Timestamp.nullable().describe('When this person first opened a link of it; null: not so far.'),
});
export type Recipient = z.infer<typeof Recipient>;

export const PreviewCampaign = fields
  .pick({
    segment_id: true,
    expression: true,
    exclude_segment_ids: true,
    media: true,
    template: true,
    when: true,
    duration: true,
  })
  .extend({
    message: z
      .string('Enter text')
      .max(maxTextLength, `Use at most ${maxTextLength} characters`)
      .default('')
      .describe('The text.'),
    topic_id: GivenTopic.describe('Which topic.'),
    when_capped: WhenCapped.optional(),
    ...reviewOptions,
  })
  .superRefine(requireOneAudience);
export type PreviewCampaign = z.output<typeof PreviewCampaign>;

export const campaignParams = z.object({ campaignId: IdParam.describe('Which campaign.') });

export const listCampaigns = endpoint({
  method: 'GET',
  path: '/api/campaigns',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'Campaigns, newest first unless sorted: all of them, or a page',
  query: z.object({
    ...listQuery(['created', 'name', 'status', 'progress'], 'the name'),
    status: CampaignStatus.optional().describe('Those with this status alone.'),
    project_id: IdParam.optional().describe('Those of this project alone.'),
    segment_id: IdParam.optional().describe('Whose members get it.'),
  }),
  response: {
    200: listAnswer(Campaign).extend({
      under_way: z.int().nonnegative().describe('How many of all campaigns are creating or running.'),
    }),
  },
});

export const createCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns',
  audit: 'campaign.started',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'Send a message to every member of a segment, now or at a time',
  body: NewCampaign,
  response: { 201: Campaign },
  errors: [...templateErrors],
});

export const getCampaign = endpoint({
  method: 'GET',
  path: '/api/campaigns/{campaignId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'One campaign',
  params: campaignParams,
  response: { 200: Campaign },
});

export const updateCampaign = endpoint({
  method: 'PUT',
  path: '/api/campaigns/{campaignId}',
  audit: 'campaign.changed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'The name always, the message while recipients wait, segment and project before the first message',
  params: campaignParams,
  body: CampaignChange,
  response: { 200: Campaign },
  errors: ['campaign_started', 'campaign_finished', ...templateErrors],
});

export const deleteCampaign = endpoint({
  method: 'DELETE',
  path: '/api/campaigns/{campaignId}',
  audit: 'campaign.deleted',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  needsSubscription: true,
  summary: 'Delete a campaign: what is left is not sent, what was sent stays in the records',
  params: campaignParams,
  response: { 204: undefined },
});

export const getCampaignReport = endpoint({
  method: 'GET',
  path: '/api/campaigns/{campaignId}/report',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'What came of a campaign: how far its messages came, when, and why some failed',
  params: campaignParams,
  response: { 200: Report },
});

export const retryFailedRecipients = endpoint({
  method: 'POST',
  path: '/api/campaigns/{campaignId}/retry-failed',
  audit: 'campaign.retried',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'Send again to those whose message failed in a way that another attempt may mend',
  params: campaignParams,
  response: { 200: Campaign },
  errors: ['nothing_to_retry', 'campaign_finished'],
});

export const pauseCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/{campaignId}/pause',
  audit: 'campaign.paused',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary:
    'Hand out no more messages until it is resumed; those that no phone has tried to send wait, too. ' +
    'A scheduled campaign does not start',
  params: campaignParams,
  response: { 200: Campaign },
  errors: ['campaign_not_running'],
});

export const resumeCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/{campaignId}/resume',
  audit: 'campaign.resumed',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary:
    'Go on with a paused campaign; one that was paused before its time starts then, or at once where it has passed',
  params: campaignParams,
  response: { 200: Campaign },
  errors: ['campaign_not_paused', ...templateErrors],
});

export const cancelCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/{campaignId}/cancel',
  audit: 'campaign.cancelled',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:write',
  answerNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'Stop for good: who still waits is skipped',
  params: campaignParams,
  response: { 200: Campaign },
  errors: ['campaign_finished'],
});

export const listRecipients = endpoint({
  method: 'GET',
  path: '/api/campaigns/{campaignId}/recipients',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'Who gets it, and what became of it',
  params: campaignParams,
  query: z.object(entryPageQuery),
  response: { 200: pageOf(Recipient).extend({ next_cursor: entryCursor }) },
});

export const exportRecipients = endpoint({
  method: 'GET',
  path: '/api/campaigns/{campaignId}/recipients/export',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  needsSubscription: true,
  summary: 'The recipients as CSV',
  params: campaignParams,
  query: z.object(entryQuery),
  produces: 'text/csv',
  response: { 200: z.string() },
});

export const previewCampaign = endpoint({
  method: 'POST',
  path: '/api/campaigns/preview',
  audit: 'nothing',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'campaigns:read',
  alsoNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Who would get a message, who would be skipped and why, as whom it reads how, and when all would have it',
  body: PreviewCampaign,
  response: { 200: Review },
  errors: ['too_costly', ...templateErrors],
});
