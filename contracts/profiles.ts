import { z } from 'zod';
import { CountryCode, EmailAddress, LanguageTag, TimeZone } from './accounts.ts';
import { FieldPath, isStorable, notStorable } from './conditions.ts';
import { endpoint } from './endpoint.ts';
import { GivenExpression } from './given-expression.ts';
import { customFieldPath } from './field-path.ts';
import { Message } from './messages.ts';
import { Id, IdParam, isEstimate, listOf, pageOf, pageQuery, Timestamp } from './page.ts';
import { ListCursor, ListSearch } from './list-query.ts';
import { ProfileTag, ProfileTags } from './profile-tags.ts';
import { OptInReason } from './suppressions.ts';

/** A person. `phone` is the full international number in digits; '+', `cc` and `number` say the same. */
export const Profile = z.object({
  id: Id.describe('Its id.'),
  phone: z.string().describe('The full number with the calling code, digits.'),
  phone_given: z.string().describe('The number as it was given.'),
  country_code: z
    .string()
    .nullable()
    .describe('ISO 3166, two letters; null when the number does not tell and nobody said.'),
  cc: z
    .string()
    .nullable()
    .describe('The calling code in digits; null when there is no such code, and then `number` is the whole.'),
  number: z.string().describe('The national number in digits.'),
  phone_is_valid: z.boolean().describe('Whether the numbering plans know the number.'),
  name: z.string().nullable().describe('Its name, for people.'),
  email: z.string().nullable().describe('An email address.'),
  language: z.string().nullable().describe('BCP 47, such as `pt-BR`.'),
  timezone: z.string().nullable().describe('IANA, such as `Europe/Lisbon`.'),
  external_id: z.string().nullable().describe('The id of this person in the caller’s own system.'),
  custom_fields: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Whatever you know of the person, any JSON up to 64 KiB.'),
  status: z.string().describe('How far it has come, or how it is now.'),
  tags: z.array(z.string()).describe('In lower case, in the order of their letters.'),
  opted_out: z.boolean().describe('The number is on the list of those who are left alone, since when.'),
  opted_out_at: Timestamp.nullable().describe('When it opted out; null: it has not.'),
  on_whatsapp: z
    .boolean()
    .nullable()
    .describe(
      'False: the number was found not to be on WhatsApp; campaigns and flows skip it. Null: nothing is known.',
    ),
  on_whatsapp_checked_at: Timestamp.nullable().describe('When it was found; after 30 days it is tried again.'),
  created_at: Timestamp.describe('When it was made.'),
  updated_at: Timestamp.describe('When it was changed last.'),
});
export type Profile = z.infer<typeof Profile>;

const maxCustomFieldsLength = 65_536;
const maxFields = 500;
const maxDepth = 10;
const maxPathLength = 500;

/** Why an object cannot be stored as custom fields; undefined when it can. */
function findCustomFieldsProblem(fields: Record<string, unknown>): string | undefined {
  if (JSON.stringify(fields).length > maxCustomFieldsLength) return 'Custom fields take at most 64 KiB';
  let count = 0;
  function visit(value: unknown, keys: readonly string[]): string | undefined {
    if (typeof value === 'string' && !value.isWellFormed()) return 'The text holds a character that cannot be stored';
    if (typeof value === 'number' && !Number.isFinite(value)) return 'A number is too large';
    if (typeof value !== 'object' || value === null) return undefined;
    if (keys.length >= maxDepth) return `Custom fields go at most ${maxDepth} levels deep`;
    for (const [key, inner] of Object.entries(value)) {
      const path = [...keys, key];
      count += 1;
      if (count > maxFields) return `Use at most ${maxFields} custom fields`;
      if (!key.isWellFormed()) return 'A field name holds a character that cannot be stored';
      if (customFieldPath(path).length > maxPathLength)
        return `A field name and its path take at most ${maxPathLength} characters`;
      const problem = visit(inner, path);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  return visit(fields, []);
}

export const CustomFields = z
  .record(z.string(), z.unknown(), 'Custom fields must be a JSON object')
  .superRefine((fields, { addIssue }) => {
    const message = findCustomFieldsProblem(fields);
    if (message !== undefined) addIssue({ code: 'custom', message });
  })
  .nullable();

/** Blank text means none. */
const blankAsNull = z
  .string()
  .regex(/^\s*$/)
  .transform(() => null);

/** As people write it; the server keeps its digits and says whether the number is one. */
export const ProfilePhone = z
  .string('Enter a phone number')
  .trim()
  .min(1, 'Enter a phone number')
  .max(40, 'Invalid number');

export const ProfileName = z.string().trim().max(200, 'Use at most 200 characters');
export const ProfileStatus = z.string().trim().min(1, 'Enter a status').max(40, 'Use at most 40 characters');

export const ExternalId = z
  .string('Enter an id')
  .trim()
  .min(1, 'Enter an id')
  .max(200, 'Use at most 200 characters')
  .refine(isStorable, notStorable);

const ProfileValuesChange = z.object({
  phone: ProfilePhone.optional().describe('The full number with the calling code, digits.'),
  country_code: z
    .union([blankAsNull, CountryCode, z.null()])
    .optional()
    .describe('ISO 3166, two letters; null when nobody said.'),
  name: z.union([blankAsNull, ProfileName, z.null()]).optional().describe('Its name, for people.'),
  email: z.union([blankAsNull, EmailAddress, z.null()]).optional().describe('An email address.'),
  language: z
    .union([blankAsNull, LanguageTag, z.null()])
    .optional()
    .describe('BCP 47, such as `pt-BR`; kept in its usual form.'),
  timezone: z.union([blankAsNull, TimeZone, z.null()]).optional().describe('IANA, such as `Europe/Lisbon`.'),
  external_id: z
    .union([blankAsNull, ExternalId, z.null()])
    .optional()
    .describe('The id of this person in the caller’s own system; one profile has it.'),
  custom_fields: CustomFields.optional().describe('Whatever you know of the person, any JSON up to 64 KiB.'),
  status: ProfileStatus.optional().describe('How far it has come, or how it is now.'),
  tags: ProfileTags.optional(),
  opted_out: z.boolean().optional().describe('True puts the number on the list of those who are left alone.'),
});
/** `opted_out: false` takes the number off the list, and has to say why. */
export const ProfileChange = ProfileValuesChange.extend({
  opt_in_reason: OptInReason.optional().describe('Why the person may be written to again.'),
});
export type ProfileChange = z.output<typeof ProfileChange>;

/** Here `opted_out: false` changes nothing: a list from elsewhere takes nobody off. */
export const NewProfile = ProfileValuesChange.extend({
  phone: ProfilePhone.describe('The full number with the calling code, digits.'),
});
export type NewProfile = z.output<typeof NewProfile>;

export const ProfileSort = z.enum(['id', 'phone', 'name', 'created_at', 'updated_at']);
export type ProfileSort = z.infer<typeof ProfileSort>;

export const profileParams = z.object({ profileId: IdParam.describe('Which profile.') });

/** Tags with commas between, as an address has them. */
const TagList = z
  .string()
  .max(1000)
  .transform((text) => text.split(',').filter((tag) => tag.trim() !== ''))
  .pipe(z.array(ProfileTag).max(20, 'Use at most 20 tags'));

const IdList = z
  .string()
  .max(400)
  .transform((text): (string | number)[] => text.split(',').filter((id) => id.trim() !== ''))
  .pipe(z.array(IdParam).max(20, 'Leave out at most 20 segments'));

const ExpressionText = z
  .string()
  .max(20_000, 'Use at most 20,000 characters')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: 'custom', message: 'The expression is not valid JSON' });
      return z.NEVER;
    }
  })
  .pipe(GivenExpression);

const YesOrNo = z.enum(['true', 'false']);

/** The filters of a list of profiles; a segment's members are those who match now. */
export const ProfileFilter = z.object({
  search: ListSearch.describe(
    'Parts of names, emails and numbers, in any case, with or without accents: whole words and their parts from three ' +
      'characters on, fewer find beginnings.',
  ),
  opted_out: YesOrNo.optional().describe('Those who have opted out alone, or the others alone.'),
  status: ProfileStatus.optional().describe('Those with this status alone.'),
  tags: z.array(ProfileTag).max(20).optional().describe('Those who have all of these.'),
  segment_id: Id.optional().describe('The members of this segment.'),
  expression: GivenExpression.optional().describe('Those who match this expression.'),
  exclude_segment_ids: z.array(Id).max(20).optional().describe('Those who are in none of these segments.'),
  valid: YesOrNo.optional().describe('Those whose number is valid alone, or the others alone.'),
  on_whatsapp: YesOrNo.optional().describe(
    'With false those whose number was found not to be on WhatsApp alone, with true the others alone.',
  ),
});
export type ProfileFilter = z.output<typeof ProfileFilter>;

const profileFilterQuery = {
  ...ProfileFilter.shape,
  tags: TagList.optional().describe('Those who have all of these: tags with commas between.'),
  segment_id: IdParam.optional().describe('The members of this segment.'),
  expression: ExpressionText.optional().describe('Those who match this expression: its JSON.'),
  exclude_segment_ids: IdList.optional().describe('Those who are in none of these segments: ids with commas between.'),
};

export const listProfiles = endpoint({
  method: 'GET',
  path: '/api/profiles',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'Profiles, newest first unless sorted; searched by name, phone and email',
  query: z.object({
    ...pageQuery(50),
    ...profileFilterQuery,
    sort: ProfileSort.default('id').describe('In which order.'),
    order: z
      .enum(['asc', 'desc'])
      .optional()
      .describe('Descending unless it says otherwise for ids and times, ascending for text.'),
    after: ListCursor,
  }),
  response: {
    200: pageOf(Profile).extend({
      is_estimate: isEstimate,
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

export const createProfile = endpoint({
  method: 'POST',
  path: '/api/profiles',
  audit: { act: 'profile.created', row: 'of_people' },
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Create a profile',
  body: NewProfile,
  response: { 201: Profile },
  errors: ['profile_exists'],
});

export const upsertProfile = endpoint({
  method: 'PUT',
  path: '/api/profiles',
  audit: {
    act: 'profile.saved',
    row: 'none',
    because: 'Programs keep many contacts in step by it: the contact says when it changed.',
  },
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Create the profile with this number, or change what the body names',
  body: NewProfile,
  response: { 200: Profile, 201: Profile },
});

export const getProfile = endpoint({
  method: 'GET',
  path: '/api/profiles/{profileId}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'One profile',
  params: profileParams,
  response: { 200: Profile },
});

export const updateProfile = endpoint({
  method: 'PUT',
  path: '/api/profiles/{profileId}',
  audit: { act: 'profile.changed', row: 'by_verb' },
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  changesContact: true,
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Change what the body names',
  params: profileParams,
  body: ProfileChange,
  response: { 200: Profile },
  errors: ['profile_exists'],
});

export const deleteProfile = endpoint({
  method: 'DELETE',
  path: '/api/profiles/{profileId}',
  audit: 'profile.deleted',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary: 'Delete a profile; its messages stay in the records',
  params: profileParams,
  response: { 204: undefined },
});

export const listProfileMessages = endpoint({
  method: 'GET',
  path: '/api/profiles/{profileId}/messages',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:read',
  needsSubscription: true,
  summary: 'The latest messages to and from a profile, newest first',
  params: profileParams,
  query: z.object({ limit: pageQuery(50).pageSize }),
  response: { 200: listOf(Message) },
});

export const exportProfiles = endpoint({
  method: 'GET',
  path: '/api/profiles/export',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary:
    'All profiles as CSV, or those that a search finds; cells that a spreadsheet would run begin with an apostrophe',
  query: z.object(profileFilterQuery),
  produces: 'text/csv',
  response: { 200: z.string() },
});

export const ProfileTagCount = z.object({
  tag: z.string().describe('In lower case.'),
  profiles: z.int().positive().describe('How many profiles have it.'),
});
export type ProfileTagCount = z.infer<typeof ProfileTagCount>;

export const listProfileTags = endpoint({
  method: 'GET',
  path: '/api/profile-tags',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The tags that profiles of the account have, the most used first',
  query: z.object({
    search: z.string().trim().max(100).optional().describe('Part of a tag.'),
    limit: pageQuery(50).pageSize,
  }),
  response: { 200: listOf(ProfileTagCount) },
});

/** A field that profiles of the account have. */
export const ProfileField = z.object({
  path: z.string().describe('As conditions name it.'),
  types: z
    .array(z.enum(['string', 'number', 'boolean', 'time', 'object', 'array', 'null', 'empty']))
    .describe('What its values are; several where profiles differ. `empty` is empty text.'),
  sample: z.string().nullable().describe('A value that some profile has, as text; null when none is at hand.'),
  profiles: z.int().nonnegative().describe('How many profiles have it, filled or not.'),
});
export type ProfileField = z.infer<typeof ProfileField>;

export const listProfileFields = endpoint({
  method: 'GET',
  path: '/api/profile-fields',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The field paths that exist in the account: columns first, then custom fields by name',
  query: z.object({
    search: z.string().trim().max(100).optional().describe('Part of a path.'),
    limit: pageQuery(100).pageSize,
  }),
  response: { 200: listOf(ProfileField) },
});

/** A value that profiles have in a field, as `equals` understands it. */
export const ProfileFieldValue = z.object({
  value: z.string().describe('The value, as text.'),
  profiles: z.int().positive().describe('How many of the profiles that were looked at have it.'),
});
export type ProfileFieldValue = z.infer<typeof ProfileFieldValue>;

export const listProfileFieldValues = endpoint({
  method: 'GET',
  path: '/api/profile-fields/values',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'The values of a field among the newest 5,000 profiles, most frequent first; of a list, its members',
  query: z.object({
    path: FieldPath.describe('The field, as conditions name it.'),
    search: z.string().trim().max(100).optional().describe('Part of a value, in any case.'),
    limit: pageQuery(20).pageSize,
  }),
  response: {
    200: z.object({
      data: z.array(ProfileFieldValue).describe('The entries.'),
      is_complete: z.boolean().describe('Whether every profile of the account was looked at.'),
    }),
  },
});
