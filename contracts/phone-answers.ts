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
