import { z } from 'zod';
import { EmailAddress } from './accounts.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './page.ts';
import { CustomFields, ExternalId, Profile, ProfileName, ProfilePhone } from './profiles.ts';

/** Blank text means none. */
const isNone = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

/** Of a person: `name` and `email` are the profile's, every other one is a custom field. Null removes it. */
const Traits = z.record(z.string(), z.unknown(), 'Traits must be a JSON object').superRefine((traits, { addIssue }) => {
  const { name = null, email = null, ...fields } = traits;
  const named = {
    name: isNone(name) || ProfileName.safeParse(name),
    email: isNone(email) || EmailAddress.safeParse(email),
  };
  for (const [trait, read] of Object.entries(named)) {
    const message = read === true ? undefined : read.error?.issues[0]?.message;
    if (message !== undefined) addIssue({ code: 'custom', path: [trait], message });
  }
  const message = CustomFields.safeParse(fields).error?.issues[0]?.message;
  if (message !== undefined) addIssue({ code: 'custom', message });
});

const NamedPerson = z
  .object({
    phone: ProfilePhone.optional().describe('The full number with the calling code, digits.'),
    external_id: ExternalId.optional().describe('The id of this person in the caller’s own system.'),
    profile_id: Id.optional().describe('The profile; null where there is none.'),
    traits: Traits.default({}).describe(
      '`name` and `email` are the profile’s, every other one a custom field; merged one level deep, null removes one.',
    ),
  })
  .superRefine(({ phone, external_id: externalId, profile_id: profileId }, { addIssue }) => {
    if (phone === undefined && externalId === undefined && profileId === undefined)
      addIssue({ code: 'custom', path: ['phone'], message: 'Name the person by phone, external_id or profile_id' });
  });
export type NamedPerson = z.output<typeof NamedPerson>;

export const identifyProfile = endpoint({
  method: 'POST',
  path: '/api/identify',
  audit: {
    act: 'profile.saved',
    row: 'none',
    because: 'Programs keep many contacts in step by it: the contact says when it changed.',
  },
  callers: ['user', 'api_key', 'project_key'],
  permission: 'events:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary:
    'Say who a person is, by any of three ids: the ids that are given belong to one profile from then on, which a ' +
    'phone creates',
  idempotency: 'recorded',
  body: NamedPerson,
  response: { 200: Profile },
  errors: ['profile_exists'],
});
