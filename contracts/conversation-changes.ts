import { z } from 'zod';
import { conversationParams, ConversationStatus } from './conversations.ts';
import { endpoint } from './endpoint.ts';
import { Id, IdCursor, pageQuery, Timestamp } from './page.ts';

const Person = z.object({ id: Id.describe("The user's."), name: z.string().describe('Its name, for people.') });

/** As the audit log has it, without what only its readers see. */
export const ConversationChange = z.object({
  id: Id.describe('Its id.'),
  conversation_id: Id.describe('The conversation.'),
  created_at: Timestamp.describe('When it was done.'),
  author: Person.nullable().describe('The member who did it; null: a program with a key.'),
  assigned_to: Person.nullable().optional().describe('Whom it was given to; null: nobody. Absent: as before.'),
  snoozed_until: Timestamp.nullable()
    .optional()
    .describe('Put aside until then; null: brought back. Absent: as before.'),
  status: ConversationStatus.optional().describe('Done, or open again. Absent: as before.'),
});
export type ConversationChange = z.infer<typeof ConversationChange>;

export const listConversationChanges = endpoint({
  callers: ['user', 'api_key', 'project_key'],
  needsSubscription: true,
  method: 'GET',
  path: '/api/conversations/{conversationId}/changes',
  reads: 'page',
  permission: 'messages:read',
  summary:
    'Who gave a conversation to whom, put it aside, marked it as done and opened it again, in the last 400 days, ' +
    'newest first; `after` is the `next_cursor` of the page before',
  params: conversationParams,
  query: z.object({ after: IdCursor, limit: pageQuery(50).pageSize }),
  response: {
    200: z.object({
      data: z.array(ConversationChange).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});
