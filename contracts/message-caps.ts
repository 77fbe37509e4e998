import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id } from './page.ts';

const Most = (most: number) =>
  z.int('Enter a whole number').min(1, 'Use at least 1').max(most, `Use at most ${most}`).nullable();

/** How many messages of campaigns and flows one person gets. */
export const MessageCap = z.object({
  topic_id: Id.nullable().describe('Of this topic; null: of all of them together.'),
  per_day: Most(1000).describe("At most so many on a day of the account's calendar; null: any number."),
  per_week: Most(5000).describe('At most so many on a day and the six before it; null: any number.'),
});
export type MessageCap = z.infer<typeof MessageCap>;

const common = { callers: ['user', 'api_key', 'project_key'], needsSubscription: true } as const;
const Caps = z.object({ data: z.array(MessageCap).describe('That of all messages first.') });

export const listMessageCaps = endpoint({
  ...common,
  method: 'GET',
  path: '/api/message-caps',
  permission: 'campaigns:read',
  summary: 'How many messages of campaigns and flows a person gets, together and of single topics',
  response: { 200: Caps },
});

export const putMessageCap = endpoint({
  ...common,
  method: 'PUT',
  path: '/api/message-caps',
  audit: 'message_cap.set',
  permission: 'campaigns:write',
  acrossProjects: true,
  answerNeeds: 'campaigns:read',
  summary:
    'Set a cap, or end it with null for both. Messages count that are handed to a phone while there is any cap; what ' +
    'fails or is taken back gives its place back',
  body: MessageCap,
  response: { 200: Caps },
});
