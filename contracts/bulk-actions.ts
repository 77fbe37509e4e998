import { z } from 'zod';
import { CampaignStatus } from './campaigns.ts';
import { endpoint } from './endpoint.ts';
import { ListSearch } from './list-query.ts';
import { Id, IdParam, listOf, Timestamp } from './page.ts';
import { ProfileTags } from './profile-tags.ts';
import { ProfileFilter } from './profiles.ts';
import { SegmentUser } from './segments.ts';

/** The actions on many objects, by kind. */
export const bulkActions = {
  profiles: ['tag', 'untag', 'opt_out', 'delete'],
  campaigns: ['pause', 'resume', 'cancel', 'delete'],
  flows: ['activate', 'deactivate', 'delete'],
  segments: ['delete'],
  phones: ['activate', 'deactivate', 'disconnect'],
  templates: ['delete'],
} as const;

export const BulkResource = z.enum(['profiles', 'campaigns', 'flows', 'segments', 'phones', 'templates']);
export type BulkResource = z.infer<typeof BulkResource>;

export const BulkActionName = z.enum([
  'tag',
  'untag',
  'opt_out',
  'delete',
  'pause',
  'resume',
  'cancel',
  'activate',
  'deactivate',
  'disconnect',
]);
export type BulkActionName = z.infer<typeof BulkActionName>;

/** The filters of a list when everything in it was chosen; each kind knows its own. */
export const BulkFilter = z
  .object({
    ...ProfileFilter.shape,
    search: ListSearch.describe('Part of a name, an address or a number.'),
    status: z
      .union([CampaignStatus, z.string().max(40)])
      .optional()
      .describe('How far it has come, or how it is now.'),
    project_id: Id.optional().describe('Of which project.'),
    used_by: SegmentUser.optional().describe('Of segments: what goes by them.'),
    active: z.enum(['true', 'false']).optional().describe('Whether it runs by itself.'),
    connector: z
      .string()
      .max(20)
      .optional()
      .describe('`whatsapp`, or `sandbox`, which simulates a phone and delivers to nobody.'),
  })
  .partial();
export type BulkFilter = z.output<typeof BulkFilter>;

/** The filters of each kind's list: any other would be passed over, and the action reach more than was meant. */
const filtersOf: Record<BulkResource, readonly string[]> = {
  profiles: Object.keys(ProfileFilter.shape),
  campaigns: ['search', 'status', 'project_id', 'segment_id'],
  flows: ['search', 'active', 'project_id'],
  segments: ['search', 'used_by'],
  phones: ['search', 'status', 'project_id', 'connector', 'active'],
  templates: ['search'],
};

const maxIds = 10_000;
const maxDelayed = 100;

export const NewBulkAction = z
  .object({
    resource: BulkResource,
    action: BulkActionName.describe(
      'Flows that are activated so write to who begins to match from then on, and to nobody who matches already.',
    ),
    ids: z
      .array(Id)
      .min(1, 'Choose at least one')
      .max(maxIds, 'Choose at most 10,000, or a filter')
      .optional()
      .describe('Those that are chosen; each once.'),
    filter: BulkFilter.optional().describe(
      'Instead of `ids`: whatever the list finds with it; `{}` is everything. What is made later is none of it. Only the ' +
        "filters of the kind's own list are taken.",
    ),
    tags: ProfileTags.optional().describe('What `tag` adds and `untag` takes away.'),
    starts_in: z
      .int('Enter a whole number')
      .min(1, 'Use 1 to 60')
      .max(60, 'Use 1 to 60')
      .optional()
      .describe(
        'Seconds until it begins, in which cancelling it undoes it: for what cannot be undone afterwards. Campaigns and ' +
          'flows stop sending meanwhile; what is to be deleted is in no list any more. With at most 100 `ids`.',
      ),
  })
  .superRefine(({ resource, action, ids, filter, tags, starts_in: delay }, { addIssue }) => {
    const refuse = (path: string, message: string) => addIssue({ code: 'custom', path: [path], message });
    const known: readonly string[] = bulkActions[resource];
    if (!known.includes(action)) refuse('action', `${resource} can be: ${known.join(', ')}`);
    if ((ids === undefined) === (filter === undefined)) refuse('ids', 'Name the ids, or a filter');
    for (const name of Object.keys(filter ?? {}).filter((each) => !filtersOf[resource].includes(each))) {
      const message = `${resource} can be filtered by: ${filtersOf[resource].join(', ')}`;
      addIssue({ code: 'custom', path: ['filter', name], message });
    }
    if (delay !== undefined && (ids === undefined || ids.length > maxDelayed)) {
      refuse('starts_in', 'Name at most 100 ids to begin later');
    }
    if ((action === 'tag' || action === 'untag') && (tags ?? []).length === 0) refuse('tags', 'Enter a tag');
  });
export type NewBulkAction = z.output<typeof NewBulkAction>;

/** `working` → `completed`, or `cancelled` before its end, or `failed`; `undoing` → `undone`. */
export const BulkActionStatus = z.enum(['working', 'completed', 'cancelled', 'failed', 'undoing', 'undone']);
export type BulkActionStatus = z.infer<typeof BulkActionStatus>;

export const BulkAction = z.object({
  id: Id.describe('Its id.'),
  resource: BulkResource,
  action: BulkActionName.describe('What is done with each of them.'),
  tags: z.array(z.string()).describe('What `tag` adds and `untag` takes away; else empty.'),
  status: BulkActionStatus.describe('How far it has come, or how it is now.'),
  total_count: z.int().nonnegative().describe('How many were chosen; with a filter, how many it found at the start.'),
  done_count: z.int().nonnegative().describe('How many it is done with, changed or not.'),
  changed_count: z.int().nonnegative().describe('How many are not as they were.'),
  failed_count: z.int().nonnegative().describe('How many failed.'),
  undone_count: z.int().nonnegative().describe('How many of those changed are as they were again.'),
  failures: z
    .array(z.object({ id: Id.describe('Its id.'), message: z.string().describe('The text.') }))
    .describe('The first that could not be changed, and why; at most 20.'),
  can_undo: z.boolean().describe('For seven days, where the action can be undone at all.'),
  error: z.string().nullable().describe('Why it failed, a sentence; null or absent while it has not.'),
  created_at: Timestamp.describe('When it was made.'),
  starts_at: Timestamp.nullable().describe('When it begins, where it waits for an undo; else null.'),
  finished_at: Timestamp.nullable().describe('When it was over; null until then.'),
});
export type BulkAction = z.infer<typeof BulkAction>;

const bulkActionParams = z.object({ actionId: IdParam.describe('The bulk action.') });

export const startBulkAction = endpoint({
  method: 'POST',
  path: '/api/bulk-actions',
  audit: 'bulk_action.started',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'bulk-actions:write',
  needsSubscription: true,
  summary: 'Do one thing to many profiles, campaigns, flows, segments, phones or templates, in the background',
  body: NewBulkAction,
  response: { 202: BulkAction },
  errors: ['too_costly', 'too_many_bulk_actions', 'segment_in_use'],
});

export const listBulkActions = endpoint({
  method: 'GET',
  path: '/api/bulk-actions',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'account:read',
  needsSubscription: true,
  summary: 'The latest 20 bulk actions, newest first',
  response: { 200: listOf(BulkAction) },
});

export const getBulkAction = endpoint({
  method: 'GET',
  path: '/api/bulk-actions/{actionId}',
  callers: ['user', 'api_key'],
  permission: 'account:read',
  needsSubscription: true,
  summary: 'How far a bulk action has come',
  params: bulkActionParams,
  response: { 200: BulkAction },
});

export const cancelBulkAction = endpoint({
  method: 'POST',
  path: '/api/bulk-actions/{actionId}/cancel',
  audit: 'bulk_action.cancelled',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'bulk-actions:write',
  needsSubscription: true,
  summary: 'Stop a bulk action; what it has done stays. Before it begins, this undoes it',
  params: bulkActionParams,
  response: { 200: BulkAction },
  errors: ['bulk_action_finished'],
});

export const undoBulkAction = endpoint({
  method: 'POST',
  path: '/api/bulk-actions/{actionId}/undo',
  audit: 'bulk_action.undone',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'bulk-actions:write',
  needsSubscription: true,
  summary: 'Take back what a bulk action changed, in the background, and nothing else',
  params: bulkActionParams,
  response: { 202: BulkAction },
  errors: ['cannot_undo'],
});
