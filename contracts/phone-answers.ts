import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { PhoneText, phoneParams } from './phone-numbers.ts';

export const CheckedNumber = z.object({
  exists: z.boolean().describe('Whether the number is on WhatsApp.'),
  number: z
    .string()
    .describe(
      'The number that WhatsApp knows the person by, digits; such as a Brazilian mobile without its ninth digit.',
    ),
  lid: z.string().optional().describe("The network's own address of the person, where WhatsApp says it."),
});
export type CheckedNumber = z.infer<typeof CheckedNumber>;

export const checkNumber = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}/check',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:send',
  needsSubscription: true,
  summary:
    'Whether a number is on WhatsApp, as a phone of the project is told: at most 200 numbers a day and phone are asked, and ' +
    'answers are kept for a day',
  params: phoneParams,
  query: z.object({ number: PhoneText }),
  response: { 200: CheckedNumber },
  errors: [
    'number_not_clear',
    'not_supported',
    'phone_not_connected',
    'look_ups_used_up',
    'look_ups_paused',
    'network_refused',
    'phone_silent',
  ],
});

/** How many numbers one request may ask of. */
export const maxAskedNumbers = 1000;

export const findKnownNumbers = endpoint({
  method: 'POST',
  path: '/api/numbers/known',
  acrossProjects: true,
  audit: 'nothing',
  callers: ['user', 'api_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary:
    'Which digits the account knows as full numbers: those of its phones, profiles and conversations. Assignable numbers ' +
    'are full numbers whether they are known or not, and are left out',
  body: z.object({
    numbers: z
      .array(z.string().regex(/^[1-9]\d{7,14}$/, 'Must be 8 to 15 digits, without a leading 0'))
      .min(1)
      .max(maxAskedNumbers)
      .describe('Digits as they stand in a file that names no country.')
      .meta({ examples: [['4155550199']] }),
  }),
  response: { 200: z.object({ known: z.array(z.string()).describe('Those of them that are known.') }) },
});
