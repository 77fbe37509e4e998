import { z } from 'zod';
import { conversationParams } from './conversations.ts';
import { endpoint } from './endpoint.ts';
import { Id } from './page.ts';

/** For how long a member is there after they said so last. */
export const presentSeconds = 30;

export const PresenceState = z.enum(['looking', 'writing']);
export type PresenceState = z.infer<typeof PresenceState>;

/** A member who has a conversation open. */
export const PresentMember = z.object({
  id: Id.describe("The user's."),
  name: z.string().describe('Its name, for people.'),
  state: PresenceState.describe('What the person does there.'),
});
export type PresentMember = z.infer<typeof PresentMember>;

export const showPresence = endpoint({
  method: 'PUT',
  path: '/api/conversations/{conversationId}/presence',
  audit: 'nothing',
  callers: ['user'],
  permission: 'self:write',
  alsoNeeds: 'messages:read',
  needsSubscription: true,
  summary: `Say that one has a conversation open, for ${presentSeconds} seconds, and learn which other members have`,
  params: conversationParams,
  body: z.object({
    state: z.enum(['looking', 'writing', 'gone']).describe('`gone`: not any more. Contacts learn nothing of it.'),
  }),
  response: { 200: z.object({ others: z.array(PresentMember).describe('At most 20, by name.') }) },
});
