import { z } from 'zod';
import { ConnectorName, connectorTraits } from './connectors.ts';
import { endpoint } from './endpoint.ts';
import { listAnswer, listQuery } from './list-query.ts';
import { Id, IdParam, pageOf, pageQuery, Timestamp } from './page.ts';
import { PhoneHealth, PhoneHealthHistory, PhoneLogEntry, PhoneProtection } from './phone-health.ts';
import { ProxyUrl } from './phone-proxy.ts';
import { WaitingReason } from './waiting-reason.ts';

export const PhoneStatus = z.enum(['created', 'connected', 'disconnected', 'auth_failed', 'banned']);
export type PhoneStatus = z.infer<typeof PhoneStatus>;

const MetaId = z
  .string()
  .trim()
  .regex(/^\d{5,25}$/, 'Enter the digits that Meta shows');
/**
 * A secret that Meta shows, or nothing. A token goes in a header: a shortened or masked copy would fail there, as if Meta
 * could not be reached.
 */
export const MetaSecret = z
  .string()
  .trim()
  .max(1000, 'Use at most 1000 characters')
  .regex(/^[\x21-\x7e]*$/, 'Enter it as Meta shows it, without spaces');
const Secret = MetaSecret.min(1, 'Enter a value');
const Pin = z
  .string()
  .regex(/^\d{6}$/, 'Enter the six digits')
  .describe('Registers a number that is not registered yet.');

/** The values that Meta shows for a number of the official API. */
export const CloudAccess = z.object({
  phone_number_id: MetaId.describe('The phone number ID, which is not the phone number.'),
  business_account_id: MetaId.describe('The ID of the WhatsApp Business Account.'),
  access_token: Secret.describe('Of a system user; never shown again.'),
  app_secret: Secret.describe('Of the app that sends webhooks; never shown again.'),
  pin: Pin.optional(),
});
export type CloudAccess = z.infer<typeof CloudAccess>;

export const CloudFacts = z.object({
  verified_name: z.string().nullable().describe('The name that people see; null where Meta says none.'),
  quality: z.enum(['high', 'medium', 'low', 'unknown']).describe('How Meta rates the number over the last days.'),
  people_per_day: z
    .int()
    .nullable()
    .describe(
      'How many people the business portfolio may write to first in 24 hours, over all its numbers; null: no limit, or ' +
        'not known.',
    ),
  is_unlimited: z.boolean().describe('Whether Meta says that there is no such limit.'),
  messages_per_second: z.int().describe('In and out together.'),
  is_shared: z.boolean().describe('Whether the number stays in the WhatsApp Business app as well.'),
});
export type CloudFacts = z.infer<typeof CloudFacts>;

export const CloudSetup = z.object({
  phone_number_id: z.string().describe('The phone number ID, which is not the phone number.'),
  business_account_id: z.string().describe('The ID of the WhatsApp Business Account.'),
  callback_url: z.url().describe('Enter it as the callback URL of the app at Meta.'),
  verify_token: z.string().describe('Enter it beside the callback URL.'),
  webhook_verified_at: Timestamp.nullable().describe('When Meta verified the callback URL.'),
  webhook_seen_at: Timestamp.nullable().describe('When the last webhook came.'),
  signed_up: z
    .boolean()
    .describe(
      "Whether it came by the operator's app at Meta: nothing is to be entered there, and access is replaced by signing up again.",
    ),
  people_begun: z
    .int()
    .nonnegative()
    .describe(
      'How many people the numbers of the business account began with in the last 24 hours; `facts` has the limit.',
    ),
  holds: z
    .array(
      z.object({
        scope: z
          .enum(['all', 'begin'])
          .describe(
            '`all`: it sends nothing; `begin`: it answers whoever wrote within 24 hours, and begins with nobody.',
          ),
        reason: z.string().describe('A sentence.'),
        began_at: Timestamp.describe('Since when it holds.'),
        until: Timestamp.nullable().describe('Null where nobody knows.'),
      }),
    )
    .describe('The restrictions of Meta that hold now.'),
  facts: CloudFacts.nullable().describe('What Meta said last of the number; null until it has connected.'),
  facts_at: Timestamp.nullable().describe('When Meta said so.'),
});
export type CloudSetup = z.infer<typeof CloudSetup>;

/** Why a phone, or a whole project, sends nothing that is queued. */
export const waitingFields = {
  waiting_for: WaitingReason.nullable().describe(
    'What keeps queued messages from going out now, as campaigns and flows say it; null while they go. What depends on the ' +
      'recipient alone, such as the night of their country, is not told here.',
  ),
  waiting_until: Timestamp.nullable().describe(
    'When it goes on at the soonest; null where nothing waits, or where somebody has to do something first.',
  ),
};

const CallText = z
  .string()
  .trim()
  .min(1, 'Enter a message')
  .max(1000, 'Use at most 1000 characters')
  .refine((text) => !text.includes('\u0000'), 'The message holds a character that cannot be sent');

/** Calls to a linked number. */
export const CallRejection = z.object({
  reject: z.boolean().describe('Calls are rejected at once; the handset may ring for a moment.'),
  text: CallText.nullable().describe('What the caller is sent then, once an hour at most; null: nothing.'),
});
export type CallRejection = z.infer<typeof CallRejection>;

export const PhoneNumber = z.object({
  id: Id.describe('Its id.'),
  project_id: Id.describe('Of which project.'),
  phone_number: z.string().describe('Digits with the calling code.'),
  name: z.string().nullable().describe('Its name, for people.'),
  connector: ConnectorName,
  priority: z.int().describe('The highest of those that can send goes first.'),
  max_daily_messages: z
    .int()
    .nullable()
    .describe('How many it sends in a day of the account; null: as many as there are, which only a sandbox can.'),
  is_active: z.boolean().describe('Whether it takes part in the rotation.'),
  is_connected: z.boolean().describe('Whether one can send or receive now.'),
  status: PhoneStatus.describe('How far it has come, or how it is now.'),
  is_resting: z
    .boolean()
    .describe('A sandbox that has stepped back for good, as the project has had a real phone connected.'),
  error: z.string().nullable().describe('Why the last failure happened, a sentence; null while all is well.'),
  status_message: z.string().describe('What the status means and what to do, a sentence; `error` where there is one.'),
  proxy: z
    .string()
    .nullable()
    .describe(
      "The proxy of its connection, without user name and password: `socks5://proxy.example.com:1080`. Null for a project's key.",
    ),
  cloud: CloudSetup.nullable().describe("Of a number of the official API; null for others, and for a project's key."),
  health: PhoneHealth.nullable().describe(
    'Null until it has been linked, and for a number of the official API. A sandbox always has one, with `simulated: true`.',
  ),
  calls: CallRejection,
  ...waitingFields,
  daily_message_count: z.int().describe("Messages since midnight in the account's time zone."),
  message_count: z.int().describe('Messages since it was added.'),
  last_used_at: Timestamp.nullable().describe('When it was used last; null: never.'),
  connected_at: Timestamp.nullable().describe('When the connection began; null while there is none.'),
  created_at: Timestamp.describe('When it was made.'),
});
export type PhoneNumber = z.infer<typeof PhoneNumber>;

/** The meaning of a status where nothing has failed. */
export const phoneStatusWords: Readonly<Record<PhoneStatus, string>> = {
  created: 'This number is not connected yet. Choose Connect and follow the steps.',
  connected: 'This number is linked, and its messages go out.',
  disconnected: 'This number is signed out. Choose Connect to link it again.',
  auth_failed: 'The link of this number is gone, or was refused. Choose Connect and scan a new code.',
  banned: 'WhatsApp has banned this account. Open WhatsApp on the handset and ask for a review; then connect again.',
};

/** The `error` of a phone whose codes all ran out: nothing is wrong, and asking again gives the next one. */
export const unscannedWords = 'The QR code was not scanned in time. Choose Connect for a new one.';

/** A sandbox that is connected, in a project that has had a real phone. */
export const restingWords =
  'This sandbox has stepped back for good, as the project has had a real phone connected: nothing goes out by it.';

/** A number that is connected while something holds its queued messages. */
export const heldWords =
  'This number is linked, and not all of its messages go out now: `waiting_for` and `health` say why.';

/** A number that no process holds, as each holds as many as it may. */
export const withoutRoomWords =
  'This number waits for a worker with room: each holds as many phones as it may. It connects by itself once there is room; whoever runs this Dovepost has to start another worker.';

/** A number as people write it: digits, spaces, `+`, `-`, `(`, `)`, `.`. */
export const WrittenPhone = z
  .string()
  .trim()
  .min(1, { error: 'Enter a phone number', abort: true })
  .max(40, { error: 'Invalid number', abort: true })
  .regex(/^([\s+\-().]*\d){6,17}[\s+\-().]*$/, 'Invalid number')
  .describe(
    'In full with + or 00, or in digits; else a national number of the `default_country` of `GET /api/user/me`. 8 to 15 ' +
      'digits in full.',
  );

/** The server says with `understandNumber` whose it is: no text that is still unread passes for a number. */
export const PhoneText = WrittenPhone.transform((written) => ({ written }));
export type PhoneText = z.output<typeof PhoneText>;

const PhoneLabel = z.string().trim().max(120, 'Use at most 120 characters').nullable();
const Priority = z.int('Enter a whole number').min(-1000).max(1000);
const DailyMaximum = z.int('Enter a whole number').min(1, 'Use at least 1').max(1_000_000);

/** Of a new phone number; a form has the number as it is typed. */
export const newPhoneFields = z.object({
  phone_number: PhoneText,
  name: PhoneLabel.optional().describe('Its name, for people.'),
  connector: ConnectorName.default('whatsapp'),
  priority: Priority.default(0).describe('The highest of those that can send goes first.'),
  max_daily_messages: DailyMaximum.nullable()
    .optional()
    .describe('Default: 1000; none for a sandbox, and only a sandbox takes null.'),
  is_active: z.boolean().default(true).describe('Whether it takes part in the rotation.'),
  protection: PhoneProtection.optional().describe('How the number is kept from being restricted.'),
  cloud: CloudAccess.optional().describe('Needed for, and only for, the connector `cloud`.'),
});

export const noMaximumText = 'Only a sandbox can be without a daily maximum';
export const noPaceText = 'Only a number that is linked by a QR code keeps a pace';

/** Whether the protection asks for more than a number has that keeps no pace. */
export const asksForPace = (protection: PhoneProtection | undefined): boolean =>
  Object.values(protection ?? {}).includes(true);

export const NewPhoneNumber = z
  .object({
    ...newPhoneFields.shape,
    phone_number: PhoneText.optional().describe(
      'Left out for a `sandbox` alone, which gets a number of its own and connects by itself.',
    ),
  })
  .superRefine((phone, check) => {
    const traits = connectorTraits[phone.connector];
    const issue = (path: string, message: string) => check.addIssue({ code: 'custom', path: [path], message });
    if (phone.phone_number === undefined && traits.link !== 'none') issue('phone_number', 'Enter a phone number');
    if (phone.max_daily_messages === null && !traits.isSimulated) issue('max_daily_messages', noMaximumText);
    if (!traits.isPaced && asksForPace(phone.protection)) issue('protection', noPaceText);
    const isNeeded = traits.link === 'credentials';
    if (isNeeded === (phone.cloud !== undefined)) return;
    issue('cloud', isNeeded ? 'Enter what Meta shows for the number' : 'Only the connector cloud takes this');
  });
export type NewPhoneNumber = z.output<typeof NewPhoneNumber>;

export const PhoneNumberChange = z.object({
  name: PhoneLabel.optional().describe('Its name, for people.'),
  priority: Priority.optional().describe('The highest of those that can send goes first.'),
  max_daily_messages: DailyMaximum.nullable().optional().describe('Only a sandbox takes null: no maximum.'),
  is_active: z.boolean().optional().describe('Whether it takes part in the rotation.'),
  protection: PhoneProtection.optional().describe('How the number is kept from being restricted.'),
  calls: CallRejection.partial().optional().describe('What is named of it; what is left out stays.'),
  cloud: CloudAccess.pick({ access_token: true, app_secret: true, pin: true })
    .partial()
    .nullable()
    .optional()
    .describe('Replaces what is named; the number connects with it next time. Null changes nothing.'),
  proxy: ProxyUrl.nullable()
    .optional()
    .describe(
      'Everything of this phone goes through it; null for none. It is never shown with its password again: the address ' +
        'that `GET` answers leaves it as it is.',
    ),
});
export type PhoneNumberChange = z.infer<typeof PhoneNumberChange>;

/** The state of linking a phone: a code to scan, or how far it has come. */
export const LinkState = z.union([
  z.object({
    phone_id: Id.describe('The phone number.'),
    qr_code: z.string().describe('An image data URL.'),
    qr_payload: z.string().describe('The text inside the QR code.'),
    expires_at: Timestamp.describe('When it ends.'),
  }),
  z.object({
    status: z.literal('connected').describe('How far it has come, or how it is now.'),
    phone_id: Id.describe('The phone number.'),
  }),
  z.object({
    status: z.literal('connecting').describe('How far it has come, or how it is now.'),
    phone_id: Id.describe('The phone number.'),
  }),
]);
export type LinkState = z.infer<typeof LinkState>;

export const phoneParams = z.object({ phoneId: IdParam.describe('Which phone number.') });

const PhoneListQuery = z.object({
  ...listQuery(['created', 'name', 'status', 'priority', 'last_used'], 'name and number'),
  status: PhoneStatus.optional().describe('Those with this status alone.'),
  connector: ConnectorName.optional(),
  active: z.enum(['true', 'false']).optional().describe('Those in the rotation alone, or the others alone.'),
});

export const listPhoneNumbers = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/phone-numbers',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'messages:read',
  needsSubscription: true,
  summary: 'The phone numbers of a project, newest first unless sorted: all of them, or a page',
  params: z.object({ projectId: IdParam.describe('Which project.') }),
  query: PhoneListQuery,
  response: { 200: listAnswer(PhoneNumber) },
});

export const listAllPhoneNumbers = endpoint({
  method: 'GET',
  path: '/api/phone-numbers',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary: 'The phone numbers of all projects, newest first unless sorted: all of them, or a page',
  query: PhoneListQuery,
  response: { 200: listAnswer(PhoneNumber) },
});

export const addPhoneNumber = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/phone-numbers',
  audit: 'phone.added',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'sandboxes:write',
  needsSubscription: true,
  summary: 'Add a phone number',
  params: z.object({ projectId: IdParam.describe('Which project.') }),
  body: NewPhoneNumber,
  response: { 201: PhoneNumber },
  errors: ['phone_exists', 'number_not_clear'],
});

export const getPhoneNumber = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary: 'One phone number',
  params: phoneParams,
  response: { 200: PhoneNumber },
});

export const getPhoneHealthHistory = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}/health',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary: "A number's warm-up, and what became of its messages of the last 14 days",
  params: phoneParams,
  response: { 200: PhoneHealthHistory },
});

export const listPhoneLog = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}/log',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary: 'What WhatsApp said of a number and what followed, newest first; kept for 180 days',
  params: phoneParams,
  query: z.object(pageQuery(10)),
  response: { 200: pageOf(PhoneLogEntry) },
});

export const updatePhoneNumber = endpoint({
  method: 'PUT',
  path: '/api/phone-numbers/{phoneId}',
  audit: 'phone.changed',
  callers: ['user', 'api_key'],
  permission: 'phones:write',
  needsSubscription: true,
  summary: 'Change name, priority, daily maximum, part in the rotation or proxy',
  params: phoneParams,
  body: PhoneNumberChange,
  response: { 200: PhoneNumber },
  errors: ['not_an_official_number'],
});

export const deletePhoneNumber = endpoint({
  method: 'DELETE',
  path: '/api/phone-numbers/{phoneId}',
  audit: { act: 'phone.deleted', row: 'by_verb', intent: 'phone.delete_requested' },
  callers: ['user', 'api_key'],
  permission: 'sandboxes:write',
  needsSubscription: true,
  summary: 'Sign a phone out and delete it',
  params: phoneParams,
  response: { 204: undefined },
});

export const connectPhone = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}/connect',
  callers: ['user', 'api_key'],
  permission: 'sandboxes:write',
  needsSubscription: true,
  summary: 'Start or join linking: waits up to 10 s for a QR code, else 202',
  params: phoneParams,
  response: { 200: LinkState, 202: LinkState },
  errors: ['link_failed'],
});

export const requestPairingCode = endpoint({
  method: 'POST',
  path: '/api/phone-numbers/{phoneId}/pairing-code',
  audit: { act: 'phone.pairing_code_shown', row: 'around', intent: 'phone.pairing_requested' },
  callers: ['user', 'api_key'],
  permission: 'phones:write',
  needsSubscription: true,
  summary: 'A code to type on the handset instead of scanning',
  params: phoneParams,
  response: { 200: z.object({ pairing_code: z.string().describe('What to type on the handset.') }) },
  errors: ['already_connected', 'pairing_unavailable', 'link_failed'],
});

export const disconnectPhone = endpoint({
  method: 'POST',
  path: '/api/phone-numbers/{phoneId}/disconnect',
  audit: 'phone.disconnected',
  callers: ['user', 'api_key'],
  permission: 'sandboxes:write',
  needsSubscription: true,
  summary: 'Sign a phone out',
  params: phoneParams,
  response: { 200: PhoneNumber },
});

export const ProxyTrial = z.object({
  works: z.boolean().describe('Whether it could be reached.'),
  message: z.string().describe('How it went, a sentence.'),
});
export type ProxyTrial = z.infer<typeof ProxyTrial>;

export const testPhoneProxy = endpoint({
  method: 'POST',
  path: '/api/phone-numbers/{phoneId}/proxy/test',
  audit: 'nothing',
  callers: ['user', 'api_key'],
  permission: 'phones:write',
  needsSubscription: true,
  summary: 'Try whether WhatsApp can be reached through a proxy: the one in the body, else the one of the phone',
  params: phoneParams,
  body: z.object({
    proxy: ProxyUrl.optional().describe('An address such as socks5://user:password@proxy.example:1080; null: none.'),
  }),
  response: { 200: ProxyTrial },
  errors: ['no_proxy'],
});

export const NumberCheck = z.object({
  name: z
    .string()
    .describe(
      '`token`, `app_secret`, `number`, `registration`, `business_account`, `subscription`, `payment`, `health` or `webhook`.',
    ),
  ok: z.boolean().describe('Whether it is right.'),
  message: z.string().describe('How it stands and what to do, a sentence.'),
});
export type NumberCheck = z.infer<typeof NumberCheck>;

export const testPhoneNumber = endpoint({
  method: 'POST',
  path: '/api/phone-numbers/{phoneId}/test',
  audit: 'nothing',
  callers: ['user', 'api_key'],
  permission: 'phones:write',
  needsSubscription: true,
  summary: 'Say of each thing that a number of the official API needs whether it is right; changes nothing',
  params: phoneParams,
  response: { 200: z.object({ checks: z.array(NumberCheck).describe('One for each thing.') }) },
  errors: ['not_an_official_number'],
});

export const PhoneNotice = z.object({
  id: Id.describe('Its id.'),
  at: Timestamp.describe('When it was made.'),
  field: z.string().describe('The webhook field in which Meta said it, for programs: `account_update`.'),
  tag: z.string().describe("Meta's own word for it: `FLAGGED`, `TIER_10K`."),
  message: z.string().describe('What Meta said, a sentence.'),
  effect: z.string().describe('What follows from it, a sentence.'),
});
export type PhoneNotice = z.infer<typeof PhoneNotice>;

export const listPhoneNotices = endpoint({
  method: 'GET',
  path: '/api/phone-numbers/{phoneId}/notices',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'phones:read',
  needsSubscription: true,
  summary:
    'What Meta said of a number of the official API and of its business account, newest first; kept for 180 days',
  params: phoneParams,
  query: z.object(pageQuery(10)),
  response: { 200: pageOf(PhoneNotice) },
});
