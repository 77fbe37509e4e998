import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, listOf, overlapHours, Timestamp } from './page.ts';
import { ConnectorName } from './connectors.ts';
import { LinkState, waitingFields } from './phone-numbers.ts';

export const ProjectStatus = z.enum(['created', 'connected', 'disconnected', 'auth_failed']);
export type ProjectStatus = z.infer<typeof ProjectStatus>;

/** Why a project cannot send now; the same codes as `POST /api/send-message` answers. */
export const SendingObstacle = z.enum([
  'no_connected_phone',
  'phones_inactive',
  'sandbox_resting',
  'phones_limited',
  'daily_limit_reached',
  'account_suspended',
  'window_closed',
]);
export type SendingObstacle = z.infer<typeof SendingObstacle>;

export const sendingObstacleWords: Readonly<Record<SendingObstacle, string>> = {
  no_connected_phone: 'No phone number of this project is connected',
  phones_inactive: 'The connected phone numbers of this project are switched off',
  sandbox_resting: 'Only a sandbox is connected, and it has stepped back for your real phone. Connect WhatsApp again.',
  phones_limited: 'WhatsApp restricts the phone numbers of this project for now',
  daily_limit_reached: 'Every connected phone number has reached its maximum for today',
  account_suspended: 'The account is suspended, and nothing is sent meanwhile',
  window_closed: 'They last wrote more than 24 hours ago: only a template reaches them now',
};

/** The rotation's present answer to a message. */
export const Sending = z.object({
  can_send: z.boolean().describe('Whether it can.'),
  connector: ConnectorName.nullable().describe(
    'The kind of phone that the next message would leave by; null when it cannot.',
  ),
  reason: SendingObstacle.nullable().describe('Why not; null when it can.'),
  message: z.string().nullable().describe('`reason` in a sentence for people.'),
  until: Timestamp.nullable().describe('When `phones_limited` or `daily_limit_reached` ends.'),
});
export type Sending = z.infer<typeof Sending>;

/** The handling of direct messages to strangers beyond the first contacts that its phones may make in a day. */
export const DirectFirstContacts = z
  .enum(['send', 'queue', 'refuse'])
  .describe(
    "Direct messages to people who have never written, beyond the day's allowance of first contacts: `send` sends them, " +
      "`queue` answers 202 and sends them at the phone's pace, `refuse` answers 409 `phones_limited`.",
  );
export type DirectFirstContacts = z.infer<typeof DirectFirstContacts>;

export const Project = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  auth_key: z.string().nullable().describe('Null for members who may not manage keys.'),
  webhook_url: z.string().nullable().describe('Null for roles that may not read webhooks, too.'),
  webhook_secret: z.string().nullable().describe('Null for members who may not manage keys.'),
  webhook_disabled_at: Timestamp.nullable().describe(
    'When the URL was switched off, as it failed for days or said that it is gone; saving it switches it on.',
  ),
  webhook_disabled_reason: z.string().nullable().describe('Why, in a sentence for people.'),
  status: ProjectStatus.describe('How far it has come, or how it is now.'),
  is_connected: z.boolean().describe('Whether one can send or receive now.'),
  connected_at: Timestamp.nullable().describe('When the connection began; null while there is none.'),
  sticky_sender: z
    .boolean()
    .describe('Who has written to one of its numbers is written to by that one, while it can send.'),
  direct_first_contacts: DirectFirstContacts,
  read_receipts: z
    .boolean()
    .describe('Whether whoever wrote sees on WhatsApp that it was read here; off unless it is switched on.'),
  typing_indicators: z
    .boolean()
    .describe('Whether each side of an open conversation sees that the other is typing; off unless it is switched on.'),
  import_history: z
    .boolean()
    .describe(
      'Whether the chats of the last 30 days of a number are taken over when it is linked; off unless switched on. The owner ' +
        'of a number of the official API chooses in the WhatsApp Business app instead.',
    ),
  media_kept_days: z
    .int()
    .positive()
    .describe('How many days files of its messages are kept; each goes by what this was when it came.'),
  phone_count: z.int().nonnegative().describe('How many phone numbers it has.'),
  connected_phone_count: z.int().nonnegative().describe('How many of them are connected.'),
  sending: Sending.describe('Whether the project can send now, and if not, why.'),
  ...waitingFields,
  created_at: Timestamp.describe('When it was made.'),
});
export type Project = z.infer<typeof Project>;

const ProjectName = z.string().trim().min(1, 'Enter a project name').max(120, 'Use at most 120 characters');

/** Empty text means none. The server judges which addresses are allowed. */
const WebhookUrl = z
  .union([z.literal('').transform(() => null), z.string().trim().max(2048).pipe(z.url('Enter a valid URL')), z.null()])
  .describe(
    'http or https, no credentials. The port is 80, 443 or one above 1023; those of databases, caches, queues, mail and ' +
      'other services there (such as 3306, 5432, 6379, 9200, 27017) are refused. Saving it, also as it is, switches a ' +
      'webhook on that was switched off',
  );

export const NewProject = z.object({
  name: ProjectName.describe('Its name, for people.'),
  webhook_url: WebhookUrl.optional(),
});
export type NewProject = z.infer<typeof NewProject>;

export const ProjectChange = z.object({
  name: ProjectName.optional().describe('Its name, for people.'),
  sticky_sender: z
    .boolean()
    .optional()
    .describe('Whether who has written to one of its numbers is written to by that one.'),
  direct_first_contacts: DirectFirstContacts.optional(),
  read_receipts: z
    .boolean()
    .optional()
    .describe(
      'Whether WhatsApp is told of messages that are read in the inbox, or marked as read by `PATCH …/conversations/{id}`.',
    ),
  typing_indicators: z
    .boolean()
    .optional()
    .describe('Whether typing is shown both ways. While a conversation is open the number then counts as online.'),
  import_history: z
    .boolean()
    .optional()
    .describe(
      'Whether the chats of the last 30 days of numbers that are linked by a code from now on come into the inbox.',
    ),
  media_kept_days: z
    .int('Enter whole days')
    .min(1, 'Use at least 1 day')
    .max(3650, 'Use at most 3650 days')
    .optional()
    .describe('How many days files that come from now on are kept.'),
});
export type ProjectChange = z.infer<typeof ProjectChange>;

export const WebhookChange = z.object({ webhook_url: WebhookUrl });
export type WebhookChange = z.infer<typeof WebhookChange>;

export const projectParams = z.object({ projectId: IdParam.describe('Which project.') });

export const listProjects = endpoint({
  method: 'GET',
  path: '/api/projects',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'projects:read',
  needsSubscription: true,
  summary: 'All projects',
  response: { 200: listOf(Project) },
});

export const createProject = endpoint({
  method: 'POST',
  path: '/api/projects',
  audit: 'project.created',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'projects:write',
  needsSubscription: true,
  summary: 'Create a project',
  body: NewProject,
  response: { 201: Project },
  errors: ['project_limit'],
});

export const getProject = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}',
  callers: ['user', 'api_key'],
  permission: 'projects:read',
  needsSubscription: true,
  summary: 'One project',
  params: projectParams,
  response: { 200: Project },
});

export const updateProject = endpoint({
  method: 'PUT',
  path: '/api/projects/{projectId}',
  audit: 'project.changed',
  callers: ['user', 'api_key'],
  permission: 'projects:write',
  needsSubscription: true,
  summary: 'Rename a project, or change how it deals with its messages',
  params: projectParams,
  body: ProjectChange,
  response: { 200: Project },
});

export const deleteProject = endpoint({
  method: 'DELETE',
  path: '/api/projects/{projectId}',
  audit: { act: 'project.deleted', row: 'by_verb', intent: 'project.delete_requested' },
  callers: ['user', 'api_key'],
  permission: 'projects:write',
  needsSubscription: true,
  summary: 'Sign its phones out and delete all that belongs to it',
  params: projectParams,
  response: { 204: undefined },
});

export const updateProjectWebhook = endpoint({
  method: 'PUT',
  path: '/api/projects/{projectId}/webhook',
  audit: 'project.webhook_changed',
  callers: ['user', 'api_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  summary: 'Set or remove the webhook URL',
  params: projectParams,
  body: WebhookChange,
  response: { 200: Project },
});

export const rotateAuthKey = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/auth-key/rotate',
  audit: 'project.auth_key_rotated',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'keys:write',
  needsSubscription: true,
  confirmsIdentity: true,
  summary: 'Replace the auth key; the old one stops at once, or after `overlap_hours`',
  params: projectParams,
  body: z.object({ overlap_hours: overlapHours(0).describe('How long the old one goes on, hours.') }),
  response: { 200: Project },
});

export const rotateWebhookSecret = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/webhook-secret/rotate',
  audit: 'project.webhook_secret_rotated',
  idempotency: 'atomic',
  callers: ['user', 'api_key'],
  permission: 'webhooks:write',
  needsSubscription: true,
  confirmsIdentity: true,
  summary: 'Replace the webhook signing secret; the old one signs beside the new one for `overlap_hours`',
  params: projectParams,
  body: z.object({ overlap_hours: overlapHours(24).describe('How long the old one goes on, hours.') }),
  response: { 200: Project },
});

export const connectProject = endpoint({
  method: 'GET',
  path: '/api/projects/{projectId}/connect',
  callers: ['user', 'api_key'],
  permission: 'phones:write',
  needsSubscription: true,
  summary: "Start or join the linking of the project's first phone",
  params: projectParams,
  response: { 200: LinkState, 202: LinkState },
  errors: ['link_failed'],
});

export const disconnectProject = endpoint({
  method: 'POST',
  path: '/api/projects/{projectId}/disconnect',
  audit: { act: 'project.disconnected', row: 'around', intent: 'project.disconnect_requested' },
  callers: ['user', 'api_key'],
  permission: 'phones:write',
  needsSubscription: true,
  summary: 'Sign all its phones out',
  params: projectParams,
  response: { 200: Project },
});
