import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, Timestamp, WholeNumber } from './page.ts';

/**
 * An event that an open page receives by server-sent events: it names the changed object, never its content, so that
 * the page asks for the parts it shows. `conversations.typing` says all there is: it holds for 15 seconds, unless the
 * next one ends it; so does `conversations.online`, which holds for ten minutes. `resync` says that events may have been missed.
 */
export const LiveEvent = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('messages.changed').describe('What kind it is.'),
    project_id: Id.describe('Of which project.'),
    message_ids: z.array(Id).describe('Which messages changed.'),
  }),
  z.object({
    type: z.literal('conversations.changed').describe('What kind it is.'),
    project_id: Id.describe('Of which project.'),
    conversation_id: Id.describe('Which conversation changed.'),
  }),
  z.object({
    type: z.literal('conversations.typing').describe('What kind it is.'),
    project_id: Id.describe('Of which project.'),
    conversation_id: Id.describe('Which conversation changed.'),
    is_typing: z.boolean().describe('True holds for 15 seconds.'),
  }),
  z.object({
    type: z.literal('conversations.online').describe('What kind it is.'),
    project_id: Id.describe('Of which project.'),
    conversation_id: Id.describe('Which conversation changed.'),
    is_online: z
      .boolean()
      .describe('Whether the person is on WhatsApp now, where they show it. True holds for ten minutes.'),
    last_seen_at: Timestamp.nullable().describe(
      'When they were last; null while they are, and where they do not show it.',
    ),
  }),
  z.object({
    type: z.literal('conversations.presence').describe('What kind it is.'),
    project_id: Id.describe('Of which project.'),
    conversation_id: Id.describe('Which conversation changed.'),
    user_id: Id.describe('The member.'),
    state: z
      .enum(['looking', 'writing', 'gone'])
      .describe('As they have it open; for 30 seconds, unless they say so again.'),
  }),
  z.object({
    type: z.literal('phones.changed').describe('What kind it is.'),
    project_id: Id.describe('Of which project.'),
    phone_id: Id.describe('Which phone number changed.'),
  }),
  z.object({
    type: z.literal('projects.changed').describe('What kind it is.'),
    project_id: Id.describe('Of which project.'),
  }),
  z.object({
    type: z.literal('webhooks.changed').describe('What kind it is.'),
    project_id: Id.describe('Of which project.'),
  }),
  z.object({
    type: z.literal('campaigns.changed').describe('What kind it is.'),
    campaign_id: Id.describe('Which campaign changed.'),
  }),
  z.object({
    type: z.literal('flows.changed').describe('What kind it is.'),
    flow_id: Id.describe('Which flow changed.'),
  }),
  z.object({
    type: z.literal('bulk_runs.changed').describe('What kind it is.'),
    bulk_run_id: Id.describe('Which bulk run changed.'),
  }),
  z.object({ type: z.literal('suppressions.changed').describe('What kind it is.') }),
  z.object({ type: z.literal('whatsapp_templates.changed').describe('What kind it is.') }),
  z.object({ type: z.literal('events.changed').describe('What kind it is.') }),
  z.object({
    type: z.literal('notifications.changed').describe('What kind it is.'),
    user_id: Id.describe('The member whose they are: no other page gets it.'),
  }),
  z.object({ type: z.literal('team.changed').describe('What kind it is.') }),
  z.object({ type: z.literal('alerts.changed').describe('What kind it is.') }),
  z.object({ type: z.literal('subscription.changed').describe('What kind it is.') }),
  z.object({ type: z.literal('resync').describe('What kind it is.') }),
]);
export type LiveEvent = z.infer<typeof LiveEvent>;

export const streamEvents = endpoint({
  method: 'GET',
  path: '/api/events',
  callers: ['user', 'api_key'],
  permission: 'account:read',
  needsSubscription: true,
  summary: 'Server-sent events: each `data` line is one LiveEvent',
  query: z.object({
    missed_ms: WholeNumber.pipe(z.int().max(600_000, 'Use 0 to 600000'))
      .optional()
      .describe('How long ago the caller began to read, in milliseconds: what has changed since then comes first.'),
  }),
  produces: 'text/event-stream',
  response: { 200: LiveEvent },
});
