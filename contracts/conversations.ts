import { z } from 'zod';
import { LabelName, LabelNames } from './conversation-labels.ts';
import { endpoint } from './endpoint.ts';
import { Message } from './messages.ts';
import { contentRule, newMessageFields } from './new-message.ts';
import { Id, IdCursor, IdParam, pageQuery, Timestamp, WholeNumber } from './page.ts';
import { PhoneText } from './phone-numbers.ts';
import { Sending } from './projects.ts';

/** `done` until somebody writes again. */
export const ConversationStatus = z.enum(['open', 'done']);
export type ConversationStatus = z.infer<typeof ConversationStatus>;

/**
 * The filters of conversations: `unread` are those with messages that nobody has read yet, `snoozed` the open ones that are
 * put aside, which `open` leaves out.
 */
export const ConversationFilter = z.enum(['unread', 'open', 'snoozed', 'done']);
export type ConversationFilter = z.infer<typeof ConversationFilter>;

/**
 * All that was written to and by one person of a project. The conversation begins when the person writes, or when
 * somebody writes to them in the inbox or on the handset. A program's message begins a conversation that is done until
 * the person writes; campaigns, flows and bulk runs begin none, though their messages are in it.
 */
export const Conversation = z.object({
  id: Id.describe('Its id.'),
  project_id: Id.describe('Of which project.'),
  profile_id: Id.nullable().describe('The profile; null where there is none.'),
  name: z
    .string()
    .nullable()
    .describe(
      "The profile's name, else the one the person goes by on the network. Null for a caller without `messages:read`, as " +
        '`phone`, `lid`, `profile_id` and `last_message` are.',
    ),
  phone: z.string().nullable().describe('Digits with the calling code; null while only the LID is known.'),
  lid: z
    .string()
    .nullable()
    .describe("The network's own address of a person whose number is not known; null once it is."),
  phone_id: Id.nullable().describe('The phone that the person wrote to last; replies go through it.'),
  window_expires_at: Timestamp.nullable().describe(
    'Of a number of the official API: until when it may be answered with anything, as the network counts; only a ' +
      'template reaches the person afterwards. Null where nothing like that holds, or they have not written for a month.',
  ),
  status: ConversationStatus.describe('How far it has come, or how it is now.'),
  unread_count: z.int().nonnegative().describe('How many of its messages nobody has read yet.'),
  assigned_to: Id.nullable().describe(
    "The member who takes care of it: the user's id. Null: nobody, also once the member was removed or no longer " +
      'answers in the project.',
  ),
  snoozed_until: Timestamp.nullable().describe(
    'Put aside until then, or until the person writes. Null: it is not, or the time is over.',
  ),
  labels: z
    .array(z.string())
    .describe('Names of the labels that it has, by letter. Empty for a caller without `messages:read`.'),
  opted_out: z.boolean().describe('The person is on the opt-out list.'),
  may_want_to_opt_out: z
    .boolean()
    .describe(
      "The person wrote 'please stop', 🛑 or the like, which is no word that opts out, and is not on the opt-out list. It " +
        'changes nothing else, and stands until it is dismissed (PATCH `false`) or they write such a word. False for a ' +
        'caller without `messages:read`.',
    ),
  last_message: Message.nullable().describe('Null once it is no longer kept, and before there is one.'),
  last_message_at: Timestamp.describe('When it was, or when the conversation was opened.'),
});
export type Conversation = z.infer<typeof Conversation>;

/** A conversation, and whether a reply can leave now: `message` says why not. */
export const ConversationDetail = Conversation.extend({
  sending: Sending.describe('Whether the project can send now, and if not, why.'),
});
export type ConversationDetail = z.infer<typeof ConversationDetail>;

const Mentioned = z.array(
  z.object({
    person: z.string().describe('As `context.mentions` has it.'),
    name: z.string().describe('Its name, for people.'),
  }),
);

export const conversationParams = z.object({ conversationId: IdParam.describe('Which conversation.') });

const projectId = IdParam.optional().describe('Left out: of all projects, or of the one that a key belongs to.');

/** The filter by assignee: the person who signed in, or nobody. */
export const AssignedTo = z.enum(['me', 'none']);
export type AssignedTo = z.infer<typeof AssignedTo>;

const access = { callers: ['user', 'api_key', 'project_key'], needsSubscription: true } as const;

export const listConversations = endpoint({
  ...access,
  method: 'GET',
  path: '/api/conversations',
  reads: 'page',
  permission: 'messages:read',
  summary: 'Conversations, the latest first; `after` is the `next_cursor` of the page before',
  query: z.object({
    project_id: projectId,
    status: ConversationFilter.optional().describe('Left out: all of them.'),
    assigned_to: AssignedTo.optional().describe(
      '`me`: those of the person who signed in, 422 for a key. `none`: those that nobody takes care of. Left out: all.',
    ),
    label: LabelName.optional().describe('Those that have the label, whatever the case of its name.'),
    search: z
      .string()
      .trim()
      .max(100, 'Use at most 100 characters')
      .optional()
      .describe('Part of a name, a number, a text or a note.'),
    after: IdCursor,
    limit: pageQuery(50).pageSize,
  }),
  response: {
    200: z.object({
      data: z.array(Conversation).describe('The entries.'),
      mentioned: Mentioned.describe('The names of those that the last messages mention, where a contact has one.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

/** Each up to 1,000: that many are said as 1,000. */
export const ConversationCounts = z.object({
  unread: z.int().nonnegative().describe('Conversations with unread messages.'),
  unread_messages: z.int().nonnegative().describe('The unread messages of those.'),
  open: z.int().nonnegative().describe('Without those that are snoozed.'),
  mine: z.int().nonnegative().describe('Open ones that are assigned to the person who signed in; 0 for a key.'),
  unassigned: z.int().nonnegative().describe('Open ones that nobody takes care of.'),
  snoozed: z.int().nonnegative().describe('Open ones that sleep until a time.'),
});
export type ConversationCounts = z.infer<typeof ConversationCounts>;

export const countConversations = endpoint({
  ...access,
  method: 'GET',
  path: '/api/conversations/counts',
  reads: 'page',
  permission: 'messages:read',
  summary: 'How many conversations are unread, open, mine, unassigned and snoozed, up to 1,000 of each',
  query: z.object({ project_id: projectId, label: LabelName.optional().describe('Counts those that have it alone.') }),
  response: { 200: ConversationCounts },
});

export const Assignee = z.object({
  id: Id.describe("The user's."),
  name: z.string().describe('Its name, for people.'),
});
export type Assignee = z.infer<typeof Assignee>;

export const listAssignees = endpoint({
  ...access,
  callers: ['user'],
  method: 'GET',
  path: '/api/conversations/assignees',
  reads: 'page',
  permission: 'messages:read',
  summary: 'The members who may be assigned conversations of a project, by name; at most 1,000',
  query: z.object({ project_id: IdParam.describe('Those of this project alone.') }),
  response: { 200: z.object({ data: z.array(Assignee).describe('The entries.') }) },
});

export const getConversation = endpoint({
  ...access,
  method: 'GET',
  path: '/api/conversations/{conversationId}',
  permission: 'messages:read',
  summary: 'One conversation, and whether a reply can leave now',
  params: conversationParams,
  response: { 200: ConversationDetail },
});

export const openConversation = endpoint({
  ...access,
  method: 'POST',
  path: '/api/conversations',
  audit: { act: 'conversation.opened', row: 'of_people' },
  idempotency: 'atomic',
  permission: 'messages:send',
  summary: 'The conversation with a number; it is made where there is none, and nothing is sent',
  body: z.object({ project_id: Id.describe('Of which project.'), phone: PhoneText }),
  response: { 201: ConversationDetail },
  errors: ['number_not_clear'],
});

export const updateConversation = endpoint({
  ...access,
  method: 'PATCH',
  path: '/api/conversations/{conversationId}',
  audit: 'conversation.changed',
  permission: 'messages:send',
  summary:
    'Assign it, label it, snooze it, mark it as read or unread, open or done, or dismiss that the person may want to opt out',
  params: conversationParams,
  body: z.object({
    read: z.boolean().optional().describe('Whether all of it has been read; `false` marks it as unread.'),
    read_up_to: Id.optional().describe(
      'The last message that was seen: later ones stay unread. Left out: all of them.',
    ),
    status: ConversationStatus.optional().describe('How far it has come, or how it is now.'),
    assigned_to: Id.nullable()
      .optional()
      .describe('A member who answers in the project (`GET /api/conversations/assignees`); null: nobody.'),
    snoozed_until: z.iso
      .datetime({ offset: true, error: 'Enter a date and time, ISO 8601' })
      .nullable()
      .optional()
      .describe('Puts it aside, as an open one, for up to a year; null brings it back. Done brings it back as done.'),
    labels: LabelNames.optional().describe(
      'All that it has afterwards, by name; at most 20. A name that is no label yet becomes one.',
    ),
    may_want_to_opt_out: z.boolean().optional().describe('`false` dismisses the mark; `true` sets it.'),
  }),
  response: { 200: ConversationDetail },
});

export const updateConversations = endpoint({
  ...access,
  method: 'PATCH',
  path: '/api/conversations',
  audit: { act: 'conversation.changed', row: 'by_verb' },
  permission: 'messages:send',
  summary: 'Change up to 100 conversations in the same way, each as a change of its own',
  body: z.object({
    ids: z.array(Id).min(1, 'Choose at least one').max(100, 'Choose at most 100').describe('Conversations, each once.'),
    add_labels: LabelNames.optional().describe('Names that they get beside those that they have.'),
    remove_labels: LabelNames.optional().describe('Names that they lose.'),
    ...updateConversation.body.pick({ read: true, status: true, assigned_to: true, snoozed_until: true }).shape,
  }),
  response: {
    200: z.object({
      changed_count: z.int().nonnegative().describe('How many are not as they were.'),
      missing_ids: z.array(Id).describe('Those that are not there for the caller.'),
      failures: z
        .array(z.object({ id: Id.describe('Its id.'), message: z.string().describe('The text.') }))
        .describe('Those that could not be changed, and why.'),
    }),
  },
});

export const showTyping = endpoint({
  ...access,
  method: 'PUT',
  path: '/api/conversations/{conversationId}/typing',
  audit: 'nothing',
  permission: 'messages:send',
  summary: 'Somebody has the conversation open; nothing where the project does not show typing',
  params: conversationParams,
  body: z.object({
    typing: z
      .boolean()
      .describe(
        'True: the person sees it for 15 seconds, or until `false`. False: whoever has it open is not writing. Either ' +
          'way the number counts as online for a minute, and learns whether the person is typing.',
      ),
  }),
  response: { 204: undefined },
});

export const listConversationMessages = endpoint({
  ...access,
  method: 'GET',
  path: '/api/conversations/{conversationId}/messages',
  reads: 'page',
  permission: 'messages:read',
  summary: 'The messages of a conversation, newest first; `after` is the `next_cursor` of the page before',
  params: conversationParams,
  query: z.object({
    after: IdCursor,
    limit: WholeNumber.pipe(z.int().min(1, 'Use 1 to 100').max(100, 'Use 1 to 100'))
      .default(50)
      .describe('How many, up to 100.'),
  }),
  response: {
    200: z.object({
      data: z.array(Message).describe('The entries.'),
      quoted: z.array(Message).describe('Messages that those of the page answer, and that are not on it themselves.'),
      mentioned: Mentioned.describe('The names of those that messages of the page mention, where a contact has one.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

/** A reply: a new message without its recipient and time, which are settled. */
export const ConversationReply = newMessageFields
  .omit({ to: true, metadata: true, send_at: true })
  .extend({
    seen_up_to: Id.optional().describe(
      'The last message that its writer has seen: where somebody answered in the inbox or on the handset after it, nothing ' +
        'is sent (409 `answered_meanwhile`). Left out: it is sent all the same.',
    ),
  })
  .superRefine(...contentRule)
  .refine(({ media }) => media?.url === undefined, {
    path: ['media', 'url'],
    message: 'Upload the file first, and name it by its id',
  });
export type ConversationReply = z.output<typeof ConversationReply>;

export const replyToConversation = endpoint({
  ...access,
  method: 'POST',
  path: '/api/conversations/{conversationId}/messages',
  audit: { act: 'message.sent', row: 'none', because: 'The message itself is the record.' },
  idempotency: 'atomic',
  permission: 'messages:send',
  summary: 'Answer through the phone that the person wrote to, without waiting for the network; it is read by then',
  params: conversationParams,
  body: ConversationReply,
  response: { 201: Message },
  errors: [
    'no_connected_phone',
    'phones_inactive',
    'sandbox_resting',
    'phones_limited',
    'opted_out',
    'must_write_first',
    'window_closed',
    'answered_meanwhile',
    'daily_limit_reached',
  ],
});
