import { z } from 'zod';
import { conversationParams } from './conversations.ts';
import { endpoint } from './endpoint.ts';
import { Id, IdCursor, IdParam, Timestamp, WholeNumber } from './page.ts';

/** As many as a conversation has. */
export const mostNotes = 1_000;

const NoteText = z
  .string('Enter a note')
  .trim()
  .min(1, 'Enter a note')
  .max(4_000, 'Use at most 4,000 characters')
  .refine(
    (text) => text.isWellFormed() && !text.includes('\u0000'),
    'The note holds a character that cannot be stored',
  );

/** For the members alone: a note is never sent, and is in no webhook. */
export const ConversationNote = z.object({
  id: Id.describe('Its id.'),
  conversation_id: Id.describe('The conversation that it stands in.'),
  text: z.string().describe('`@Name` or `@First name` tells a member.'),
  author: z
    .object({ id: Id.describe("The user's."), name: z.string().describe('Its name, for people.') })
    .nullable()
    .describe('Null: a program wrote it with a key.'),
  mentions: z
    .array(z.object({ id: Id.describe("The user's."), name: z.string().describe('Its name, for people.') }))
    .describe('Members whom the text names and who see the project.'),
  created_at: Timestamp.describe('When it was made.'),
  edited_at: Timestamp.nullable().describe('Null: it is as it was written.'),
});
export type ConversationNote = z.infer<typeof ConversationNote>;

export const NewNote = z.object({ text: NoteText.describe('What it said.') });

const noteParams = conversationParams.extend({ noteId: IdParam.describe('The note.') });
const access = { callers: ['user', 'api_key', 'project_key'], needsSubscription: true } as const;

export const listNotes = endpoint({
  ...access,
  method: 'GET',
  path: '/api/conversations/{conversationId}/notes',
  reads: 'page',
  permission: 'messages:read',
  summary: 'The notes on a conversation, newest first; `after` is the `next_cursor` of the page before',
  params: conversationParams,
  query: z.object({
    after: IdCursor,
    limit: WholeNumber.pipe(z.int().min(1, 'Use 1 to 100').max(100, 'Use 1 to 100'))
      .default(50)
      .describe('How many, up to 100.'),
  }),
  response: {
    200: z.object({
      data: z.array(ConversationNote).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

export const createNote = endpoint({
  ...access,
  method: 'POST',
  path: '/api/conversations/{conversationId}/notes',
  audit: 'note.created',
  idempotency: 'atomic',
  permission: 'messages:send',
  summary: `Write a note for the members; nothing is sent. A conversation has at most ${mostNotes.toLocaleString('en')}`,
  params: conversationParams,
  body: NewNote,
  response: { 201: ConversationNote },
});

export const updateNote = endpoint({
  ...access,
  method: 'PATCH',
  path: '/api/conversations/{conversationId}/notes/{noteId}',
  audit: 'note.changed',
  permission: 'messages:send',
  summary: "Change one's own note; whom it names now and did not before is told",
  params: noteParams,
  body: NewNote,
  response: { 200: ConversationNote },
  errors: ['not_your_note'],
});

export const deleteNote = endpoint({
  ...access,
  method: 'DELETE',
  path: '/api/conversations/{conversationId}/notes/{noteId}',
  audit: 'note.deleted',
  permission: 'messages:send',
  summary: "Delete one's own note",
  params: noteParams,
  response: { 204: undefined },
  errors: ['not_your_note'],
});
