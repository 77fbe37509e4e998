import { z } from 'zod';
import { AllowUnknown, ConditionCost, SegmentCondition } from './conditions.ts';
import { endpoint } from './endpoint.ts';
import {
  BucketLeaf,
  TopicLeaf,
  EventLeaf,
  Expression,
  ExpressionUnit,
  FieldOperator,
  MessageLeaf,
  SegmentLeaf,
} from './expressions.ts';
import { GivenExpression } from './given-expression.ts';
import { listAnswer, listQuery } from './list-query.ts';
import { Id, IdParam, isEstimate, listOf, pageQuery, Timestamp } from './page.ts';
import { profileParams } from './profiles.ts';

/** A live group: its members are the profiles that match now. */
export const Segment = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  condition: SegmentCondition.nullable().describe('Null where the segment was made with an expression.'),
  expression: Expression.nullable().describe(
    'Who is in it. Of a condition the same in other words, but that there case does not count. Null for a caller without `contacts:read`.',
  ),
  served_by: ConditionCost.describe(
    '`index`, which finds those who match (where nearly all do, all are read), or `scan`, which reads all profiles.',
  ),
  created_at: Timestamp.describe('When it was made.'),
  updated_at: Timestamp.describe('When it was changed last.'),
});
export type Segment = z.infer<typeof Segment>;

const SegmentName = z.string().trim().min(1, 'Enter a segment name').max(120, 'Use at most 120 characters');

const fields = {
  name: SegmentName.describe('Its name, for people.'),
  condition: SegmentCondition.optional().describe('Who belongs to it.'),
  expression: GivenExpression.optional().describe('In place of a condition: several of them, in groups.'),
  allow_unknown: AllowUnknown.optional().describe('Saves it although no profile has the field yet.'),
};

export const NewSegment = z.object(fields).superRefine(({ condition, expression }, { addIssue }) => {
  if (condition && expression) {
    addIssue({ code: 'custom', path: ['expression'], message: 'Give either a condition or an expression' });
  } else if (!condition && !expression) {
    addIssue({ code: 'custom', path: ['condition'], message: 'Enter a condition or an expression' });
  }
});
export type NewSegment = z.output<typeof NewSegment>;

/** With a `condition` that is not null the expression counts for nothing, so that what was read can be sent back. */
export const SegmentChange = z
  .object({ ...fields, condition: fields.condition.unwrap().nullable().optional().describe('Who belongs to it.') })
  .partial();
export type SegmentChange = z.output<typeof SegmentChange>;

/** '+', `cc` and `number` are the full number, which `phone` is in digits. */
export const SegmentMember = z.object({
  id: Id.describe('Its id.'),
  country_code: z.string().nullable().describe('ISO 3166, two letters; null when nobody said.'),
  cc: z.string().nullable().describe('The calling code in digits.'),
  phone: z.string().describe('The full number with the calling code, digits.'),
  number: z.string().describe('The national number in digits.'),
  name: z.string().nullable().describe('Its name, for people.'),
});
export type SegmentMember = z.infer<typeof SegmentMember>;

export const segmentParams = z.object({ segmentId: IdParam.describe('Which segment.') });

export const SegmentUser = z.enum(['flow', 'campaign', 'segment', 'nowhere']);
export type SegmentUser = z.infer<typeof SegmentUser>;

export const listSegments = endpoint({
  method: 'GET',
  path: '/api/segments',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'Segments, newest first unless sorted: all of them, or a page',
  query: z.object({
    ...listQuery(['created', 'name', 'updated', 'growth'], 'the name'),
    used_by: SegmentUser.optional().describe(
      'Those alone that a flow, a campaign that is not over or another segment goes by; `nowhere`: that nothing goes by. Needs `campaigns:read`.',
    ),
  }),
  response: { 200: listAnswer(Segment) },
});

export const SegmentUse = z.object({
  type: z.enum(['segment', 'flow', 'campaign']).describe('What kind it is.'),
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  status: z
    .string()
    .nullable()
    .describe('`active` or `inactive` of a flow, the status of a campaign; null of a segment.'),
  when_deleted: z
    .enum(['refused', 'fails', 'goes_on'])
    .describe(
      'What deleting the segment would mean to it: `refused`, the segment cannot be deleted meanwhile; `fails`, the campaign does; `goes_on`, it keeps the people it has taken up.',
    ),
});
export type SegmentUse = z.infer<typeof SegmentUse>;

export const maxSegmentUses = 100;
/** Of each segment where several are asked for. */
export const namedSegmentUses = 3;

export const getSegmentUsage = endpoint({
  method: 'GET',
  path: '/api/segments/{segmentId}/usage',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  alsoNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'What goes by a segment: other segments, flows, and campaigns that are not over',
  params: segmentParams,
  response: {
    200: z.object({
      data: z.array(SegmentUse).max(maxSegmentUses).describe('Segments, then flows, then campaigns, the newest first.'),
      total: z.int().nonnegative().describe('How many there are; `data` has at most 100 of them.'),
      finished_campaigns: z.int().nonnegative().describe('Campaigns that went by it and are over.'),
    }),
  },
});

export const createSegment = endpoint({
  method: 'POST',
  path: '/api/segments',
  audit: 'segment.created',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Create a segment',
  body: NewSegment,
  response: { 201: Segment },
});

export const getSegment = endpoint({
  method: 'GET',
  path: '/api/segments/{segmentId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'One segment',
  params: segmentParams,
  response: { 200: Segment },
});

export const updateSegment = endpoint({
  method: 'PUT',
  path: '/api/segments/{segmentId}',
  audit: 'segment.changed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Change its name or its condition',
  params: segmentParams,
  body: SegmentChange,
  response: { 200: Segment },
});

export const deleteSegment = endpoint({
  method: 'DELETE',
  path: '/api/segments/{segmentId}',
  audit: 'segment.deleted',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary: 'Delete a segment; its profiles stay',
  params: segmentParams,
  response: { 204: undefined },
  errors: ['segment_in_use'],
});

export const listSegmentMembers = endpoint({
  method: 'GET',
  path: '/api/segments/{segmentId}/profiles',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'Profiles that match now, newest first; `count` is the whole match',
  params: segmentParams,
  query: z.object({
    limit: pageQuery(50).pageSize,
    offset: z.coerce
      .string<string | number>()
      .regex(/^\d{1,7}$/, 'Enter a whole number')
      .transform(Number)
      .default(0)
      .describe('How many to leave out.'),
  }),
  response: {
    200: z.object({
      data: z.array(SegmentMember).describe('The entries.'),
      count: z.int().nonnegative().describe('How many match in all.'),
      is_estimate: isEstimate,
    }),
  },
  errors: ['too_costly'],
});

export const maxCountedSegments = 50;
export const maxCountedDays = 92;

const SegmentIds = z
  .string()
  .max(1000)
  .transform((text): (string | number)[] => text.split(',').filter((id) => id.trim() !== ''))
  .pipe(
    z.array(IdParam).min(1, 'Name at least one').max(maxCountedSegments, `Name at most ${maxCountedSegments} segments`),
  )
  .describe(`Ids with commas between, at most ${maxCountedSegments}.`);

export const countSegments = endpoint({
  method: 'GET',
  path: '/api/segments/counts',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'How many profiles are in each of several segments now, and were on the days before',
  query: z.object({
    ids: SegmentIds,
    days: z.coerce
      .string<string | number>()
      .regex(/^\d{1,2}$/, 'Enter a whole number of days')
      .transform(Number)
      .pipe(z.number().max(maxCountedDays, `Ask for at most ${maxCountedDays} days`))
      .default(0)
      .describe('For how many days back the count of each day is answered, too; 0 means none.'),
  }),
  response: {
    200: z.object({
      data: z
        .array(
          z.object({
            id: Id.describe('Its id.'),
            count: z.int().nonnegative().nullable().describe('Null where even an estimate takes too long.'),
            is_estimate: isEstimate,
            counted_at: Timestamp.nullable().describe('When it was counted; null where it was not.'),
            days: z
              .array(
                z.object({
                  day: z.iso.date().describe('The day, in UTC.'),
                  count: z.int().nonnegative().describe('How many were in it when they were counted that day.'),
                }),
              )
              .describe(
                'The days that were counted, the oldest first. The 50 newest segments are counted once a day; after a change of its condition a segment begins anew. Empty for a member who is narrowed to projects.',
              ),
          }),
        )
        .describe('In the order in which they were asked for, without those that are not there.'),
    }),
  },
});

export const listSegmentUses = endpoint({
  method: 'GET',
  path: '/api/segments/usage',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  alsoNeeds: 'campaigns:read',
  needsSubscription: true,
  summary: 'How much goes by each of several segments, and the first of it',
  query: z.object({ ids: SegmentIds }),
  response: {
    200: z.object({
      data: z
        .array(
          z.object({
            id: Id.describe('The segment.'),
            uses: z
              .array(SegmentUse)
              .max(namedSegmentUses)
              .describe('Segments, then flows, then campaigns, the newest first; at most three.'),
            total: z.int().nonnegative().describe('How many there are.'),
          }),
        )
        .describe('In the order in which they were asked for, without those that are not there.'),
    }),
  },
});

export const previewSegmentCount = endpoint({
  method: 'POST',
  path: '/api/segments/preview-count',
  audit: 'nothing',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'How many profiles a condition matches that is not saved yet',
  body: z.object({ condition: SegmentCondition.describe('Who belongs to it.') }),
  response: {
    200: z.object({
      count: z.int().nonnegative().describe('How many match in all.'),
      is_estimate: isEstimate,
      sample: z.array(SegmentMember).describe('The newest of those who match, at most five.'),
      served_by: ConditionCost.describe(
        '`index`, which finds those who match (where nearly all do, all are read), or `scan`, which reads all profiles.',
      ),
    }),
  },
  errors: ['too_costly'],
});

export const previewSegment = endpoint({
  method: 'POST',
  path: '/api/segments/preview',
  audit: 'nothing',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'Whom an expression matches that is not saved yet, and how many each of its parts does',
  body: z.object({ expression: GivenExpression }),
  response: {
    200: z.object({
      count: z.int().nonnegative().describe('How many match.'),
      is_estimate: isEstimate,
      total: z.int().nonnegative().describe('How many profiles there are.'),
      sample: z.array(SegmentMember).describe('The newest of those who match, at most five.'),
      lines: z
        .array(
          z.object({
            path: z.string().describe('The part: `expression`, `expression.all.0`.'),
            count: z.int().nonnegative().describe('How many it matches by itself.'),
            unreadable: z
              .int()
              .nonnegative()
              .describe('How many have a value there that it cannot read: they match neither it nor its `not`.'),
            is_estimate: isEstimate,
          }),
        )
        .describe(
          'Every part of the expression, the whole first. Where even an estimate takes too long, parts are missing.',
        ),
      served_by: ConditionCost.describe(
        '`index`, which finds those who match (where nearly all do, all are read), or `scan`, which reads all profiles.',
      ),
    }),
  },
  errors: ['too_costly'],
});

const answer = { matches: z.boolean().nullable().describe('Null: the value cannot be read.') };
const leafAnswer = {
  ...answer,
  value: z.unknown().describe('What the profile has there, in place of what it is compared with.'),
};

const ExplainedLeaf = z.union([
  z.object({
    field: z.string().describe('The path of the field.'),
    op: FieldOperator,
    n: z.int().optional().describe('How many.'),
    unit: ExpressionUnit.optional(),
    ...leafAnswer,
  }),
  SegmentLeaf.extend(leafAnswer),
  MessageLeaf.extend(leafAnswer),
  EventLeaf.extend(leafAnswer),
  BucketLeaf.extend(leafAnswer),
  TopicLeaf.extend(leafAnswer),
]);
type ExplainedLeaf = z.output<typeof ExplainedLeaf>;

export type ExplainedNode =
  | { all: ExplainedNode[]; matches: boolean | null }
  | { any: ExplainedNode[]; matches: boolean | null }
  | { not: ExplainedNode; matches: boolean | null }
  | ExplainedLeaf;

/** An expression with the answer of each part. */
export const ExplainedNode: z.ZodType<ExplainedNode> = z.union([
  z.object({
    get all(): z.ZodType<ExplainedNode[]> {
      return z.array(ExplainedNode).describe('Its parts, each with its answer.');
    },
    ...answer,
  }),
  z.object({
    get any(): z.ZodType<ExplainedNode[]> {
      return z.array(ExplainedNode).describe('Its parts, each with its answer.');
    },
    ...answer,
  }),
  z.object({
    get not(): z.ZodType<ExplainedNode> {
      return ExplainedNode;
    },
    ...answer,
  }),
  ExplainedLeaf,
]);
z.globalRegistry.add(ExplainedNode, { examples: [{ field: 'status', op: 'equals', matches: true, value: 'active' }] });

export const explainSegment = endpoint({
  method: 'POST',
  path: '/api/segments/explain',
  audit: 'nothing',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'Why a profile matches an expression, or does not',
  body: z.object({ expression: GivenExpression, profile_id: Id.describe('The profile that is looked at.') }),
  response: { 200: z.object({ matches: z.boolean().describe('Whether the profile matches.'), tree: ExplainedNode }) },
});

export const NearlyMember = SegmentMember.extend({
  missing: z
    .string()
    .describe(
      'The condition that is missing: `expression.all.0`, or the `not` that leaves them out. Of several ways in, of the first of the nearest.',
    ),
  joins_at: Timestamp.nullable().describe(
    'When time alone lets them in, within a year, with nothing changing until then; null where it does not.',
  ),
});
export type NearlyMember = z.infer<typeof NearlyMember>;

export const listNearlyMembers = endpoint({
  method: 'POST',
  path: '/api/segments/nearly',
  audit: 'nothing',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'Who misses an expression by a single condition, newest first',
  body: z.object({
    expression: GivenExpression,
    limit: z.int().min(1).max(50).default(5).describe('How many entries to answer.'),
    offset: z.int().min(0).max(9_999_999).default(0).describe('How many to leave out.'),
  }),
  response: {
    200: z.object({
      data: z.array(NearlyMember).describe('The entries.'),
      count: z.int().nonnegative().describe('How many there are in all.'),
      is_estimate: isEstimate,
    }),
  },
  errors: ['too_costly'],
});

export const listProfileSegments = endpoint({
  method: 'GET',
  path: '/api/profiles/{profileId}/segments',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The segments that a profile is in now',
  params: profileParams,
  response: { 200: listOf(Segment) },
});
