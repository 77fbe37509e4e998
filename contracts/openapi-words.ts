import type { JsonSchema } from './openapi-schemas.ts';

/** What a field of this name is wherever its own schema does not say; `Owner.field` comes before `field`. */
const words: Readonly<Record<string, string>> = {
  id: 'Its id.',
  created_at: 'When it was made.',
  updated_at: 'When it was changed last.',
  ip: 'Where the request came from.',
  user_agent: 'What browser or program it was.',
  email: 'An email address.',
  status: 'How far it has come, or how it is now.',
  error: 'Why it failed, a sentence; null or absent while it has not.',
  code: 'Stable, snake_case: decide by it.',
  message: 'The text.',
  'FieldError.message': 'What is wrong with it, a sentence.',
  'Problem.message': 'A sentence that a person may read.',
  'Problem.code': 'Stable, snake_case: decide by it.',
  'Problem.errors': 'With `invalid_input`: each field that is not valid.',
  'Problem.request_id': 'Names the request, as the `request-id` header does.',
  path: 'Which field, dotted, as you spelled it.',
  'query.path': 'The field, as conditions name it.',
  name: 'Its name, for people.',
  project_id: 'Of which project.',
  projectId: 'Of which project.',
  segment_id: 'Whose members get it.',
  waiting_for: 'What keeps it from going on; null when nothing does.',
  total_count: 'How many it is for.',
  sent_count: 'How many the network took.',
  failed_count: 'How many failed.',
  waiting_count: 'How many still wait.',
  started_at: 'When it began; null until then.',
  finished_at: 'When it was over; null until then.',
  when: 'When it is to start; null: at once.',
  duration: 'Minutes over which it is spread; null: as fast as the phones allow.',
  'Plan.duration': 'Months.',
  'Flow.duration': 'How recent the date field has to be.',
  'NewFlow.duration': 'How recent the date field has to be.',
  'FlowChange.duration': 'How recent the date field has to be.',
  recheck_members:
    'Whether who has left the segment meanwhile is skipped; null: from an hour after the members were read on.',
  total: 'How many there are in all.',
  will_receive: 'How many get it.',
  skipped: 'How many are left out.',
  invalid_number: 'How many are left out for an invalid number.',
  opted_out: 'How many are left out as they opted out.',
  profile_id: 'The profile; null where there is none.',
  phone: 'The full number with the calling code, digits.',
  fieldPath: 'A column of the profile, or `custom_fields.` and a dotted path.',
  operator: 'How field and value are compared.',
  value: 'What the field is compared with, as text.',
  'FlowFrequency.value': 'How many hours or days; none with `lifetime`.',
  'ProfileFieldValue.value': 'The value, as text.',
  password: 'The password, 8 to 128 characters.',
  currentPassword: 'The password as it is now.',
  newPassword: 'The new one, 8 to 128 characters.',
  order_id: "The provider's id of the subscription.",
  orderId: "The provider's id of the subscription.",
  provider: 'Who takes the payments; `test` takes no money.',
  user: 'Who is signed in.',
  subscription: 'What the account has paid for.',
  sent: 'How many were sent.',
  delivered: 'How many arrived.',
  failed: 'How many failed.',
  received: 'How many came in.',
  conditions: 'All must hold.',
  action: 'What is sent, and from which project.',
  frequency: 'How often one profile may get it.',
  active: 'Whether it runs by itself.',
  last_run_at: 'When it searched last; null: never.',
  counts: 'How many, by what became of them.',
  type: 'What kind it is.',
  minutes: 'How many minutes.',
  hours: 'How many hours.',
  days: 'How many days.',
  dateFieldPath: 'The field that holds the date.',
  waiting: 'How many still wait.',
  skip_current: 'Whether those who match now count as having had it.',
  allow_unknown: 'Saves it although no profile has the field yet.',
  is_profile_deleted: 'Whether the profile is gone.',
  message_id: 'The message that it became; null before that.',
  message_status: 'How far the message itself has come.',
  flow: 'The flow as it is now.',
  matched: 'How many profiles matched.',
  queued: 'How many get the message.',
  header: 'The head of the column.',
  cells: 'The cells of the row.',
  phone_id: 'The phone number that sends or received; null before one is chosen.',
  expires_at: 'When it ends; null: never.',
  message_ids: 'Which messages changed.',
  campaign_id: 'The campaign that sent it; null for none.',
  flow_id: 'The flow that sent it; null for none.',
  to: 'Whom it goes to: the full number, 8 to 15 digits; `+`, spaces, `-` and brackets are left out.',
  from: 'Who sent it: the full number, digits.',
  media: 'The file that came with it; null for none.',
  location: 'The place that was sent; null for none.',
  contacts: 'The contact cards that were sent; null for none.',
  reactions: 'One for each side that reacted.',
  source: 'What had it sent; null for one from outside.',
  direction: '`outgoing`: from you; `incoming`: to you.',
  sent_at: 'When the network took it; null until then.',
  delivered_at: 'When it arrived; null until then.',
  read_at: 'When it was read; null until then.',
  deleted_at: 'When its sender took it back; null if never.',
  latitude: 'Degrees, north positive.',
  longitude: 'Degrees, east positive.',
  address: 'The address, as its sender wrote it.',
  mime_type: 'What kind of file it is.',
  file_name: 'What the file is called.',
  state: 'Whether the bytes are here.',
  emoji: 'The reaction.',
  from_me: "Whether it is the account's own.",
  at: 'When it was made.',
  metadata: 'Your own pairs of text, up to 20: kept with the message, in its webhooks, and a filter.',
  send_at: 'When it is to go, up to 90 days ahead; more than five minutes past is refused. Left out: now.',
  phone_number: 'The full number with the calling code; 8 to 15 digits.',
  connector: '`whatsapp`, or `sandbox`, which simulates a phone and delivers to nobody.',
  priority: 'The highest of those that can send goes first.',
  max_daily_messages: 'How many it sends in a day of the account.',
  is_active: 'Whether it takes part in the rotation.',
  country_code: 'ISO 3166, two letters; null when nobody said.',
  custom_fields: 'Whatever you know of the person, any JSON up to 64 KiB.',
  scopes: 'What the key may do.',
  addresses: 'Addresses and networks from which alone it is taken; empty: from anywhere.',
  key: 'The key itself, shown this once.',
  condition: 'Who belongs to it.',
  planId: 'Of which plan.',
  paypalPlanId: "PayPal's own id of the plan; null where PayPal is off.",
  token: 'The token.',
  'SignedIn.token': 'The session token, for `authorization`.',
  currency: 'ISO 4217.',
  paid_at: 'When it was paid.',
  is_connected: 'Whether one can send or receive now.',
  message_count: 'Messages since it was added.',
  last_used_at: 'When it was used last; null: never.',
  connected_at: 'When the connection began; null while there is none.',
  description: 'What it is for.',
  paypal_plan_id: "PayPal's own id of the plan; null where PayPal is off.",
  features: 'What it comes with.',
  project_limit: 'How many projects an account may have.',
  phone_is_valid: 'Whether the numbering plans know the number.',
  columns: 'The columns of the file, in their order.',
  total_rows: 'How many rows the file has.',
  new: 'Rows that make a profile.',
  updated: 'Rows that change one.',
  invalid: 'Rows that cannot be read.',
  auth_key: "The project's first key, with the scopes for messages.",
  webhook_url: 'Where events are sent; null: nowhere.',
  webhook_secret: 'What events are signed with, `whsec_…`.',
  sending: 'Whether the project can send now, and if not, why.',
  timezone: 'An IANA name, such as `Europe/Lisbon`.',
  served_by: '`index`, or `scan`, which reads all profiles.',
  cc: 'The calling code in digits.',
  number: 'The national number in digits.',
  can_send: 'Whether it can.',
  reason: 'Why not; null when it can.',
  phones: 'The numbers on the card.',
  'SharedContact.phones': 'The numbers on the card.',
  hasActiveSubscription: 'Whether the account may use the product now.',
  plan: 'The plan that was paid for; null for none.',
  currentSubscription: 'The latest subscription; null for none.',
  event_id: 'The `webhook-id` header: the same for every attempt, and for every endpoint.',
  sequence: 'Grows by one with each event of the project.',
  events: 'Which events it gets; `*` alone: all.',
  paused_at: 'Since when its events wait; null: it is not paused.',
  secret: 'What its events are signed with, `whsec_…`.',
  status_code: 'What the endpoint answered; null for no answer.',
  duration_ms: 'How long it took, milliseconds.',
  disabled_reason: 'Why it was switched off, a sentence; null while it is on.',
  endpoint_id: 'Of which endpoint.',
  endpointId: 'Which endpoint.',
  since: 'From that moment on.',
  until: 'Up to that moment.',
  types: 'Events of these types alone.',
  replayed: 'How many are delivered again.',
  proxy: 'An address such as socks5://user:password@proxy.example:1080; null: none.',
  history: 'Its attempts, newest first.',
  after_sequence: 'The sequence of the last event that you have; 0: from the beginning.',
  works: 'Whether it could be reached.',
  note: 'Why, in words of your own; null for none.',
  by: 'Those put there this way alone.',
  'query.by': 'Those put there this way alone.',
  after: 'The `next_cursor` of the page before.',
  next_cursor: 'For `after`; null on the last page.',
  recognizes_replies: 'Whether replies are read as opt-outs.',
  opt_in_words: 'Replies that opt in again.',
  opt_out_words: 'Replies that opt out.',
  confirms_opt_out: 'Whether an opt-out is confirmed.',
  opt_out_text: 'What confirms an opt-out.',
  confirms_opt_in: 'Whether an opt-in is confirmed.',
  opt_in_text: 'What confirms an opt-in.',
  suppression: 'Null: the number is not on the list.',
  log: 'What happened to it, newest first.',
  opted_out_at: 'When it opted out; null: it has not.',
  opt_in_reason: 'Why the person may be written to again.',
  line: 'The line of the file, the header included.',
  evidence: 'The message that said so; null where there was none.',
  text: 'What it said.',
  added: 'How many were put on the list.',
  override_opt_out: 'Sends although the recipient opted out; the record keeps it.',
  rejected: 'The lines that named no number.',
  protection: 'How the number is kept from being restricted.',
  is_protected: 'Whether it is kept from writing too much.',
  quiet_hours: 'Whether first contacts are written to between 9 and 20 h of their country alone.',
  older_account: 'Whether the account was in use before it was linked.',
  allowances: 'How much it may do today.',
  used: 'How much of it is used.',
  approve: '`false` declines.',
  api_key: "The account's key, for `authorization`.",
  timestamp: 'When it happened.',
  data: 'The entries.',
  'WebhookPayload.data': 'The message or the phone number as it was right after.',
  url: 'Where it was sent.',
  payload: 'What was sent.',
  attempts: 'How often it was tried.',
  last_status_code: 'What the endpoint answered last; null for no answer.',
  page: 'The page, from 1.',
  pageSize: 'How many to a page, up to 100.',
  overlap_hours: 'How long the old one goes on, hours.',
  hint: 'How it begins, to know it by.',
  pairing_code: 'What to type on the handset.',
  messages: 'One line each, up to 1,000.',
  count: 'How many match in all.',
  deliveries: 'Newest first.',
  limit: 'How many, up to 100.',
  offset: 'How many to leave out.',
  search: 'Part of a name, an address or a number.',
  sort: 'In which order.',
  outcome: 'Those with this outcome alone.',
  'query.status': 'Those with this status alone.',
  'query.direction': 'Those in this direction alone.',
  'query.type': 'Those of this kind alone.',
  'query.campaign_id': 'Those of this campaign alone.',
  'query.flow_id': 'Those of this flow alone.',
  'query.project_id': 'Those of this project alone.',
  'query.days': 'How many days, today included.',
  'query.file_name': 'What the file is called, for people.',
  sessionId: 'Which session.',
  keyId: 'Which key.',
  phoneId: 'Which phone number.',
  messageId: 'Which message.',
  profileId: 'Which profile.',
  importId: 'Which import.',
  segmentId: 'Which segment.',
  campaignId: 'Which campaign.',
  flowId: 'Which flow.',
  templateId: 'Which template.',
  webhookId: 'Which webhook record.',
  'path.projectId': 'Which project.',
  'idempotency-key':
    'Up to 255 characters, yours. The same key and body answers that message and sends nothing more, for 24 hours; another body is refused.',
  prefer: '`respond-async`: do not wait for the network; 202.',
  'paypal-transmission-id': 'Of the provider.',
  'paypal-transmission-time': 'Of the provider.',
  'paypal-transmission-sig': 'Of the provider.',
  'paypal-cert-url': 'Of the provider.',
  'paypal-auth-algo': 'Of the provider.',
};

export function fieldWords(field: string, owner?: string): string | undefined {
  return words[`${owner}.${field}`] ?? words[field];
}

/** A value that a field of this name may have; `Owner.field` comes before `field`. */
const values: Readonly<Record<string, unknown>> = {
  to: '14155550132',
  from: '14155550101',
  phone: '14155550132',
  phone_number: '14155550101',
  email: 'ada@example.com',
  password: 'correct horse battery',
  currentPassword: 'correct horse battery',
  newPassword: 'battery horse correct',
  name: 'Ada Lovelace',
  'Project.name': 'Larkspur Store',
  'NewProject.name': 'Larkspur Store',
  'Campaign.name': 'Autumn',
  'NewCampaign.name': 'Autumn',
  'Flow.name': 'Welcome',
  'NewFlow.name': 'Welcome',
  'Segment.name': 'Lisbon',
  'SavedTemplate.name': 'Order ready',
  'NewSavedTemplate.name': 'Order ready',
  'NewSegment.name': 'Lisbon',
  'ProjectKey.name': 'Shop',
  'NewProjectKey.name': 'Shop',
  'NewProjectKeyAnswer.name': 'Shop',
  'Plan.name': 'Premium Plan',
  message: 'Your order #4821 is on its way',
  'Campaign.message': 'Hello {name}',
  'NewCampaign.message': 'Hello {name}',
  timezone: 'Europe/Lisbon',
  fieldPath: 'custom_fields.city',
  operator: 'equals',
  value: 'Lisbon',
  dateFieldPath: 'updated_at',
  connector: 'sandbox',
  webhook_url: 'https://shop.example/webhooks',
  url: 'https://shop.example/webhooks',
  country_code: 'US',
  cc: '1',
  number: '4155550132',
  metadata: { order: '4821' },
  custom_fields: { city: 'Lisbon' },
  idempotency_key: 'order-4821-shipped',
  scopes: ['messages:send', 'messages:read'],
  key: 'dpk_example',
  auth_key: 'dpa_example',
  webhook_secret: 'whsec_example',
  api_key: 'dpu_example',
  token: 'dps_example',
  price: 9.99,
  allow_unknown: true,
  search: 'ada',
  city: 'Lisbon',
  header: 'phone',
  field: 'phone',
  fields: ['phone', 'name'],
  cells: ['14155550132', 'Ada Lovelace'],
  hint: 'dpk_exam',
  request_id: '0b8f6c1e-5f0e-4c39-9d55-6a0c1d1f2b3a',
  docs: 'https://dovepost.example/docs/errors#not_found',
  emoji: '👍',
  events: ['*'],
  secret: 'whsec_example',
  hours: 24,
  'ImportColumn.samples': ['14155550132'],
};

const moment = '2026-11-20T14:06:31.000Z';

/** A value that fits the schema: the same each time. */
export function exampleOf(
  schema: JsonSchema,
  components: Readonly<Record<string, JsonSchema>>,
  at: { field?: string; owner?: string } = {},
): unknown {
  const chosen = values[`${at.owner}.${at.field}`] ?? values[at.field ?? ''];
  if (chosen !== undefined && fits(chosen, schema)) return chosen;
  const { $ref, anyOf, oneOf, allOf, type, properties, items } = schema as {
    $ref?: string;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    allOf?: JsonSchema[];
    type?: string | string[];
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
  };
  if ($ref !== undefined) {
    const owner = $ref.slice($ref.lastIndexOf('/') + 1);
    const { field: _, ...rest } = at;
    return exampleOf(components[owner] ?? {}, components, { ...rest, owner });
  }
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum'])) return schema['enum'][0];
  if ('default' in schema) return schema['default'];
  const options = anyOf ?? oneOf ?? allOf;
  if (options?.[0]) return options.some(isNull) ? null : exampleOf(options[0], components, at);
  const kind = Array.isArray(type) ? (type.includes('null') ? 'null' : type[0]) : type;
  switch (kind) {
    case 'object': {
      const required = (schema['required'] as string[] | undefined) ?? [];
      const fields = Object.entries(properties ?? {}).filter(([field]) => required.includes(field) || field in values);
      const owner = at.owner === undefined ? {} : { owner: at.owner };
      return Object.fromEntries(
        fields.map(([field, property]) => [field, exampleOf(property, components, { field, ...owner })]),
      );
    }
    case 'array':
      return items === undefined ? [] : [exampleOf(items, components, at)];
    case 'integer':
    case 'number':
      return Math.max(Number(schema['minimum'] ?? 1), 1);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return schema['format'] === 'date-time' ? moment : schema['format'] === 'date' ? moment.slice(0, 10) : 'text';
  }
}

const typeOf = (value: unknown): string => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value;
};

/** Whether a value is of the schema's type; of a reference it is taken to be. */
function fits(value: unknown, { type, anyOf, oneOf }: JsonSchema): boolean {
  const options = (anyOf ?? oneOf) as JsonSchema[] | undefined;
  if (options) return options.some((option) => fits(value, option));
  if (type === undefined) return true;
  const types = Array.isArray(type) ? (type as string[]) : [type];
  return types.includes(typeOf(value)) || (types.includes('integer') && Number.isInteger(value));
}

const isNull = ({ type }: JsonSchema) => type === 'null';

export const tagWords: Readonly<Record<string, string>> = {
  Account: 'Signing in, the user, sessions and what was done for safety.',
  Subscription: 'The plan, its payments and its end.',
  Projects: 'A project has phone numbers, keys and a webhook.',
  Keys: 'Keys of a project, each with its scopes.',
  'Phone numbers': 'Linking phones, and the rotation among them.',
  Messages: 'Sending one or a thousand, and reading what became of them.',
  Profiles: 'People with a number, and what is known of them.',
  Imports: 'Profiles from CSV files.',
  'Opt-out': 'Who wants no more messages, and the words they say it with.',
  Segments: 'Profiles that match a condition now.',
  Campaigns: 'One message to each member of a segment, once.',
  Flows: 'A message to whoever comes to match.',
  Templates: 'Messages kept under a name.',
  Webhooks: 'What was delivered to your endpoints.',
  Live: 'Server-sent events for open pages.',
  Document: 'This document.',
  Events: 'What is sent to your endpoints, signed as Standard Webhooks says.',
};
