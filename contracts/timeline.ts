import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { FailureCode } from './failure-codes.ts';
import { ListCursor } from './list-query.ts';
import { MessageSource, MessageType } from './message-content.ts';
import { MessageDirection, MessageStatus } from './messages.ts';
import { Id, pageQuery, Timestamp } from './page.ts';
import { profileParams } from './profiles.ts';
import { SuppressionSource } from './suppressions.ts';
import { ConsentSource, ConsentState } from './topics.ts';

export const timelineKinds = ['message', 'event', 'segment', 'consent', 'note', 'change', 'created'] as const;
export type TimelineKind = (typeof timelineKinds)[number];

const common = {
  id: z.string().describe('Of the entry: its kind and the id of the thing.'),
  at: Timestamp.describe('When it happened.'),
};

const MessageEntry = z.object({
  ...common,
  kind: z.literal('message').describe('What it is.'),
  message_id: Id.describe('The message.'),
  project_id: Id.describe('Of which project.'),
  direction: MessageDirection.describe('`outgoing`: from you; `incoming`: to you.'),
  type: MessageType.describe('What kind it is.'),
  status: MessageStatus.describe('How far it has come, or how it is now.'),
  error_code: FailureCode.nullable().describe('Why it failed.'),
  text: z.string().nullable().describe('Null for a caller without `messages:read`.'),
  source: MessageSource.nullable().describe('How it came to be sent; null where it was received.'),
  source_id: Id.nullable().describe('Of the campaign, the flow or the bulk run.'),
  source_name: z
    .string()
    .nullable()
    .describe('Its name, while there is one. Null for a caller without `messages:read` and `campaigns:read`.'),
  clicks: z
    .array(
      z.object({ url: z.string().describe('Where it was sent.'), at: Timestamp.describe('When it was opened first.') }),
    )
    .describe('The links in it that the person opened; empty for a caller without `messages:read`.'),
});

const EventEntry = z.object({
  ...common,
  kind: z.literal('event').describe('What it is.'),
  event_id: Id.describe('The `webhook-id` header: the same for every attempt, and for every endpoint.'),
  event: z.string().describe('Its name.'),
  properties: z.record(z.string(), z.unknown()).describe('As they were told.'),
});

const SegmentEntry = z.object({
  ...common,
  kind: z.literal('segment').describe('What it is.'),
  segment_id: Id.describe('It may be gone since.'),
  segment_name: z.string().describe('As it is called, or was.'),
  state: z.enum(['joined', 'left']).describe('Whether they came into the segment or left it.'),
});

const ConsentEntry = z.object({
  ...common,
  kind: z.literal('consent').describe('What it is.'),
  topic_id: Id.nullable().describe('Null: everything.'),
  topic_name: z.string().nullable().describe('As it was called at that time; null: everything.'),
  state: ConsentState.describe('What they said of the topic.'),
  by: z.union([ConsentSource, SuppressionSource]).describe('How it came about.'),
  note: z.string().nullable().describe('Why, in words of your own; null for none.'),
  evidence_message_id: Id.nullable().describe('The message that said so.'),
  evidence_text: z
    .string()
    .nullable()
    .describe('The words of it, or those that the person agreed to. Null for a caller without `messages:read`.'),
});

const NoteEntry = z.object({
  ...common,
  kind: z.literal('note').describe('What it is.'),
  note_id: Id.describe('Of the note.'),
  conversation_id: Id.describe('The conversation that the note stands in.'),
  project_id: Id.describe('Of which project.'),
  author: z.string().nullable().describe('Null for a key, and for a caller without `messages:read`.'),
  text: z.string().nullable().describe('Null for a caller without `messages:read`.'),
});

const ChangeEntry = z.object({
  ...common,
  kind: z.literal('change').describe('What it is.'),
  action: z.string().describe('As the audit log has it, such as `profile.changed`.'),
  actor: z.string().nullable().describe('Who it was. Null for a caller without `team:read`.'),
  changes: z
    .array(
      z.object({
        field: z.string().describe('The name of the field.'),
        before: z.unknown().describe('Null where it is hidden.'),
        after: z.unknown().describe('Null where it is hidden.'),
        hidden: z.boolean().describe('What is known of contacts is kept in the profile alone.'),
      }),
    )
    .describe('By field; empty where the log has none.'),
});

const CreatedEntry = z.object({
  ...common,
  kind: z.literal('created').describe('What it is.'),
  actor: z.string().nullable().describe('Who made the profile, where that is known. Null without `team:read`.'),
});

/** Something that happened with a person. */
export const TimelineEntry = z.discriminatedUnion('kind', [
  MessageEntry,
  EventEntry,
  SegmentEntry,
  ConsentEntry,
  NoteEntry,
  ChangeEntry,
  CreatedEntry,
]);
export type TimelineEntry = z.infer<typeof TimelineEntry>;

const Kinds = z
  .string()
  .max(200, 'Use at most 200 characters')
  .transform((text) => text.split(',').map((kind) => kind.trim()))
  .pipe(z.array(z.enum(timelineKinds, `Use ${timelineKinds.join(', ')}, separated by commas`)).min(1));

export const getProfileTimeline = endpoint({
  method: 'GET',
  path: '/api/profiles/{profileId}/timeline',
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary:
    'What happened with a person, the latest first: messages, events, segments joined and left, opt-ins and ' +
    'opt-outs, notes, and changes of the profile. A caller of some projects gets messages and notes of those',
  params: profileParams,
  query: z.object({
    kind: Kinds.optional().describe(
      'Of these kinds alone, separated by commas: `message`, `event`, `segment`, `consent`, `note`, `change`, `created`.',
    ),
    after: ListCursor.describe('The `next_cursor` of the page before, with the same kinds.'),
    limit: pageQuery(50).pageSize,
  }),
  response: {
    200: z.object({
      data: z.array(TimelineEntry).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});
