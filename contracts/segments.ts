import { z } from 'zod';
import { AllowUnknown, ConditionCost, SegmentCondition } from './conditions.ts';
import { endpoint } from './endpoint.ts';
import { listAnswer, listQuery } from './list-query.ts';
import { Id, IdParam, listOf, pageQuery, Timestamp } from './page.ts';
import { profileParams } from './profiles.ts';

/** A live group: its members are the profiles that match now. */
export const Segment = z.object({
  id: Id,
  name: z.string(),
  condition: SegmentCondition,
  served_by: ConditionCost,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Segment = z.infer<typeof Segment>;

const SegmentName = z.string().trim().min(1, 'Enter a segment name').max(120, 'Use at most 120 characters');

export const NewSegment = z.object({
  name: SegmentName,
  condition: SegmentCondition,
  allow_unknown: AllowUnknown.optional(),
});
export type NewSegment = z.output<typeof NewSegment>;

export const SegmentChange = NewSegment.partial();
export type SegmentChange = z.output<typeof SegmentChange>;

/** '+', `cc` and `number` are the full number, which `phone` is in digits. */
export const SegmentMember = z.object({
  id: Id,
  country_code: z.string().nullable(),
  cc: z.string().nullable(),
  phone: z.string(),
  number: z.string(),
  name: z.string().nullable(),
});
export type SegmentMember = z.infer<typeof SegmentMember>;

export const segmentParams = z.object({ segmentId: IdParam });

export const listSegments = endpoint({
  method: 'GET',
  path: '/api/segments',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'Segments, newest first unless sorted: all of them, or a page',
  query: z.object(listQuery(['created', 'name', 'updated'], 'the name')),
  response: { 200: listAnswer(Segment) },
});

export const createSegment = endpoint({
  method: 'POST',
  path: '/api/segments',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
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
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary: 'Change its name or its condition',
  params: segmentParams,
  body: SegmentChange,
  response: { 200: Segment },
});

export const deleteSegment = endpoint({
  method: 'DELETE',
  path: '/api/segments/{segmentId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary: 'Delete a segment; its profiles stay',
  params: segmentParams,
  response: { 204: undefined },
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
      .default(0),
  }),
  response: { 200: z.object({ data: z.array(SegmentMember), count: z.int().nonnegative() }) },
  errors: ['too_costly'],
});

export const previewSegmentCount = endpoint({
  method: 'POST',
  path: '/api/segments/preview-count',
  reads: 'scan',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'How many profiles a condition matches that is not saved yet',
  body: z.object({ condition: SegmentCondition }),
  response: { 200: z.object({ count: z.int().nonnegative(), served_by: ConditionCost }) },
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
