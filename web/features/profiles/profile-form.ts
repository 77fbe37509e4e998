import { z } from 'zod';
import { ProfileTags } from '#contracts/profile-tags.ts';
import { CustomFields, NewProfile, type Profile } from '#contracts/profiles.ts';

/** Custom fields as they are typed. Blank text means none. */
const CustomFieldsText = z
  .string()
  .transform((text, { addIssue }) => {
    if (text.trim() === '') return null;
    try {
      return JSON.parse(text) as Record<string, unknown>;
    } catch (error) {
      addIssue({ code: 'custom', message: `Invalid JSON: ${parserReason(error)}` });
      return z.NEVER;
    }
  })
  .pipe(CustomFields);

/** Some parsers repeat the whole text in what they say. */
function parserReason(error: unknown): string {
  return error instanceof Error ? error.message.replace(/, (?:\.\.\.)?".*" is not valid JSON$/s, '') : '';
}

/** Why the custom fields cannot be stored as they are edited line by line; empty while they can. */
const Problem = z.string().superRefine((message, { addIssue }) => {
  if (message !== '') addIssue({ code: 'custom', message });
});

/** The contract of a new profile with its fields as texts. */
export const ProfileForm = NewProfile.extend({
  custom_fields: CustomFieldsText,
  tags: ProfileTags,
  field_problem: Problem,
}).transform((values) => {
  const { field_problem, ...profile } = values;
  void field_problem;
  return profile;
});

export type ProfileFormValues = z.input<typeof ProfileForm>;

export function formValuesOf(profile: Profile): ProfileFormValues {
  return {
    phone: `+${profile.phone}`,
    country_code: profile.country_code ?? '',
    name: profile.name ?? '',
    email: profile.email ?? '',
    status: profile.status,
    tags: profile.tags,
    field_problem: '',
    custom_fields: profile.custom_fields === null ? '' : JSON.stringify(profile.custom_fields, null, 2),
  };
}

export const emptyFormValues: ProfileFormValues = {
  phone: '',
  country_code: '',
  name: '',
  email: '',
  status: 'active',
  tags: [],
  field_problem: '',
  custom_fields: '',
};
