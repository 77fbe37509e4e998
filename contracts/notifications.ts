import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdCursor, IdParam, Timestamp, WholeNumber } from './page.ts';

/**
 * Occasions that a member is notified of: a conversation was given to them, a note names them, a person wrote in a conversation of
 * theirs or in one that nobody takes care of, one of theirs came back from its snooze, the account has an alert.
 */
export const NotificationKind = z.enum([
  'assigned',
  'mentioned',
  'message_mine',
  'message_unassigned',
  'snooze_ended',
  'alert',
]);
export type NotificationKind = z.infer<typeof NotificationKind>;

export const Notification = z.object({
  id: Id.describe('Its id.'),
  kind: NotificationKind,
  project_id: Id.nullable().describe('Of which project; null for what is of the account.'),
  conversation_id: Id.nullable().describe('Null for an alert.'),
  alert_id: Id.nullable().describe('Of an `alert`.'),
  actor: z
    .object({ id: Id.describe("The user's."), name: z.string().describe('Its name, for people.') })
    .nullable()
    .describe('The member who did it; null: nobody, or a program.'),
  title: z.string().describe('What happened, in a few words. It holds names, and no text of a message or note.'),
  count: z
    .int()
    .positive()
    .describe('How often it happened while it was unread, such as messages of one conversation.'),
  created_at: Timestamp.describe('When it happened last.'),
  read_at: Timestamp.nullable().describe('Null while it is unread.'),
});
export type Notification = z.infer<typeof Notification>;

const forPerson = { callers: ['user'], needsSubscription: true } as const;

export const listNotifications = endpoint({
  ...forPerson,
  method: 'GET',
  path: '/api/notifications',
  reads: 'page',
  permission: 'self:read',
  summary: "The person's notifications in this account, the latest first, for 30 days",
  query: z.object({
    status: z.enum(['unread', 'all']).default('all').describe('`unread`: those alone that were not read.'),
    after: IdCursor,
    limit: WholeNumber.pipe(z.int().min(1, 'Use 1 to 100').max(100, 'Use 1 to 100'))
      .default(30)
      .describe('How many, up to 100.'),
  }),
  response: {
    200: z.object({
      data: z.array(Notification).describe('The entries.'),
      unread_count: z.int().nonnegative().describe('All that are unread, up to 100.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

export const readNotifications = endpoint({
  ...forPerson,
  method: 'POST',
  path: '/api/notifications/read',
  audit: { act: 'user.notifications_read', row: 'none', because: "It changes nothing beyond the person's own list." },
  permission: 'self:write',
  summary: 'Mark notifications as read: those that are named, those of a conversation, or all',
  body: z.object({
    ids: z.array(Id).min(1, 'Name at least one').max(100, 'Name at most 100').optional().describe('These alone.'),
    conversation_id: Id.optional().describe('All of this conversation.'),
  }),
  response: { 200: z.object({ unread_count: z.int().nonnegative().describe('What is left unread, up to 100.') }) },
});

const Channels = z.object({
  page: z.boolean().describe('By the bell of the pages.'),
  push: z.boolean().describe('By the browsers that the person has switched it on in.'),
  mail: z.boolean().describe('In the mail that gathers what is unread.'),
});
export type NotificationChannels = z.infer<typeof Channels>;

export const NotificationSettings = z.object({
  assigned: Channels.describe('A conversation was given to them.'),
  mentioned: Channels.describe('A note names them.'),
  message_mine: Channels.describe('A person wrote in a conversation of theirs.'),
  message_unassigned: Channels.describe('A person wrote in a conversation that nobody takes care of.'),
  snooze_ended: Channels.describe('A conversation came back from its snooze.'),
  alert: Channels.describe('The account has an alert.'),
  shows_texts: z.boolean().describe('Whether mails and pushes hold texts of messages and notes. False at first.'),
  mail_after_minutes: z
    .union([z.literal(5), z.literal(15), z.literal(60), z.literal(1440)])
    .describe('How long something stays unread before a mail tells it, with all that has gathered by then.'),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

const ChannelsChange = Channels.partial().optional();

export const NotificationSettingsChange = z.object({
  assigned: ChannelsChange.describe('A conversation was given to them.'),
  mentioned: ChannelsChange.describe('A note names them.'),
  message_mine: ChannelsChange.describe('A person wrote in a conversation of theirs.'),
  message_unassigned: ChannelsChange.describe('A person wrote in a conversation that nobody takes care of.'),
  snooze_ended: ChannelsChange.describe('A conversation came back from its snooze.'),
  alert: ChannelsChange.describe('The account has an alert.'),
  shows_texts: NotificationSettings.shape.shows_texts.optional(),
  mail_after_minutes: NotificationSettings.shape.mail_after_minutes.optional(),
});
export type NotificationSettingsChange = z.output<typeof NotificationSettingsChange>;

export const getNotificationSettings = endpoint({
  ...forPerson,
  method: 'GET',
  path: '/api/notifications/settings',
  permission: 'self:read',
  summary: 'Which occasions the person is told of in this account, and how',
  response: { 200: NotificationSettings },
});

export const updateNotificationSettings = endpoint({
  ...forPerson,
  method: 'PUT',
  path: '/api/notifications/settings',
  audit: { act: 'user.notifications_changed', row: 'none', because: "It changes nothing beyond the person's own." },
  permission: 'self:write',
  summary: 'Change what the body names',
  body: NotificationSettingsChange,
  response: { 200: NotificationSettings },
});

/** A browser of the person that shows what is pushed, while nobody has the page open. */
export const PushSubscription = z.object({
  id: Id.describe('Its id.'),
  program: z.string().nullable().describe('The browser, as it names itself.'),
  created_at: Timestamp.describe('When it was made.'),
  current: z.boolean().describe('Whether this session switched it on.'),
});
export type PushSubscription = z.infer<typeof PushSubscription>;

/** 65 bytes, uncompressed, and 16 bytes: RFC 8291. */
const key = (bytes: number) =>
  z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}={0,2}$`), `Enter ${bytes} bytes as base64url`);

const NewPushSubscription = z.object({
  endpoint: z
    .url({ protocol: /^https?$/, error: 'Enter the address that the browser answered' })
    .max(1_000, 'Use at most 1,000 characters')
    .describe('The address at which its maker takes pushes for it.')
    .meta({ examples: ['https://push.example.com/send/abc'] }),
  keys: z
    .object({
      p256dh: key(65)
        .describe('Its public key.')
        .meta({ examples: ['B'.repeat(87)] }),
      auth: key(16)
        .describe('Its secret.')
        .meta({ examples: ['a'.repeat(22)] }),
    })
    .describe('As the browser answered them.'),
});
export type NewPushSubscription = z.output<typeof NewPushSubscription>;

export const listPushSubscriptions = endpoint({
  ...forPerson,
  method: 'GET',
  path: '/api/notifications/push',
  permission: 'self:read',
  summary: "The key that browsers subscribe with, and the person's browsers that have, at most 20",
  response: {
    200: z.object({
      public_key: z.string().describe('`applicationServerKey` (VAPID), base64url.'),
      data: z.array(PushSubscription).describe('The entries.'),
    }),
  },
});

export const createPushSubscription = endpoint({
  ...forPerson,
  method: 'POST',
  path: '/api/notifications/push',
  audit: { act: 'user.push_started', row: 'none', because: "It changes nothing beyond the person's own." },
  permission: 'self:write',
  summary: 'Push to a browser until it refuses, the session ends or the person leaves; the oldest of 20 gives way',
  body: NewPushSubscription,
  response: { 201: PushSubscription },
});

export const deletePushSubscription = endpoint({
  ...forPerson,
  method: 'DELETE',
  path: '/api/notifications/push/{subscriptionId}',
  audit: { act: 'user.push_ended', row: 'none', because: "It changes nothing beyond the person's own." },
  permission: 'self:write',
  summary: 'Push to a browser no longer',
  params: z.object({ subscriptionId: IdParam.describe('The subscription of a browser.') }),
  response: { 204: undefined },
});
