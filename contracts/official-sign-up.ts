import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { IdParam } from './page.ts';
import { CloudAccess, newPhoneFields, PhoneNumber } from './phone-numbers.ts';

export const OfficialSignUp = z.object({
  dialog_url: z
    .url()
    .nullable()
    .describe(
      "Meta's dialog, in which a business gives this server its number; `redirect_uri`, `state` and `extras` are added to " +
        'it. Null where the operator has no app at Meta.',
    ),
});
export type OfficialSignUp = z.infer<typeof OfficialSignUp>;

export const NewOfficialSignUp = z.object({
  code: z
    .string()
    .trim()
    .min(1, 'Enter a value')
    .max(4000)
    .describe('The code that Meta gave to `redirect_uri`: it counts once, for 30 seconds.'),
  redirect_uri: z.url().max(500).describe('Letter by letter as the dialog was given it.'),
  business_account_id: CloudAccess.shape.business_account_id
    .optional()
    .describe('As the dialog says it of the WhatsApp Business Account; left out: the account that was shared last.'),
  phone_number_id: CloudAccess.shape.phone_number_id
    .optional()
    .describe('As the dialog says it of the number; left out: the number of the account that came last.'),
  pin: CloudAccess.shape.pin.describe(
    'Registers a number that is not registered yet: its two-step PIN, or any six digits where it has none, which becomes its PIN.',
  ),
  name: newPhoneFields.shape.name,
});
export type NewOfficialSignUp = z.output<typeof NewOfficialSignUp>;

export const getOfficialSignUp = endpoint({
  method: 'GET',
  path: '/api/official-sign-up',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary: 'Whether numbers of the official API sign up by an app of the operator, and where',
  response: { 200: OfficialSignUp },
});

export const signUpOfficialNumber = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/official-sign-ups',
  audit: { act: 'phone.signed_up', row: 'by_verb' },
  idempotency: 'recorded',
  callers: ['user', 'api_key'],
  permission: 'phones:write',
  needsSubscription: true,
  summary:
    "Add the number that a business has given the operator's app at Meta, and connect it; of one that is there, replace its access",
  params: z.object({ projectId: IdParam.describe('Which project.') }),
  body: NewOfficialSignUp,
  response: { 200: PhoneNumber, 201: PhoneNumber },
  errors: ['sign_up_off', 'sign_up_refused', 'phone_exists', 'network_refused'],
});
