import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { phoneParams } from './phone-numbers.ts';

/** A number as people see it on WhatsApp. */
export const PhoneProfile = z.object({
  name: z
    .string()
    .nullable()
    .describe('The name that people see who have not saved the number; null where it has none.'),
  about: z.string().nullable().describe('The text below the name; null where there is none.'),
  photo: z.string().nullable().describe('A small picture as a data URL; null where there is none.'),
});
export type PhoneProfile = z.infer<typeof PhoneProfile>;

/** As WhatsApp's own apps count. */
export const longestShownName = 25;
export const longestAbout = 139;

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `Use at most ${most} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), 'Use a single line');

export const PhoneProfileChange = z
  .object({
    name: line(longestShownName).min(1, 'Enter a name').optional().describe(`At most ${longestShownName} characters.`),
    about: line(longestAbout)
      .transform((text) => text || null)
      .nullable()
      .optional()
      .describe(`At most ${longestAbout} characters; null or empty for none.`),
    photo: z
      .union([
        z.object({ id: z.string().min(1).max(100).describe('Of `POST /api/media`: a JPEG or PNG.') }),
        z
          .string()
          .regex(/^data:image\//)
          .transform(() => undefined),
        z.null(),
      ])
      .optional()
      .describe('Cut to a square; null for none. The data URL that `GET` answers leaves it as it is.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), 'Name something to change');
export type PhoneProfileChange = z.output<typeof PhoneProfileChange>;

const common = {
  path: '/api/phone-numbers/{phoneId}/profile',
  callers: ['user', 'api_key'],
  needsSubscription: true,
  params: phoneParams,
  response: { 200: PhoneProfile },
} as const;

const refusals = ['not_supported', 'phone_not_connected', 'network_refused', 'phone_silent'] as const;

export const getPhoneProfile = endpoint({
  ...common,
  method: 'GET',
  permission: 'phones:read',
  summary: 'Name, about and photo of a number, as WhatsApp shows them; WhatsApp is asked each time',
  errors: refusals,
});

export const changePhoneProfile = endpoint({
  ...common,
  method: 'PUT',
  audit: { act: 'phone.profile_changed', row: 'around', intent: 'phone.profile_change_requested' },
  permission: 'phones:write',
  summary:
    'Change name, about and photo that people see of a number: what is named; what is left out stays. An official number has no name to change here, and always a text and a photo',
  body: PhoneProfileChange,
  errors: refusals,
});
