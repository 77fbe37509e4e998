import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, IdParam, listOf, Timestamp } from './page.ts';

/** As many as an account has. */
export const mostLabels = 200;
/** As many as a conversation has. */
export const mostLabelsOfConversation = 20;

export const LabelColor = z.enum(['gray', 'red', 'yellow', 'green', 'blue']);
export type LabelColor = z.infer<typeof LabelColor>;

export const LabelName = z
  .string('Enter a label')
  .trim()
  .min(1, 'Enter a label')
  .max(50, 'A label takes at most 50 characters')
  .refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'The label holds a character that cannot be stored');

/** Each once, whatever the case. */
const onceEach = (names: readonly string[]): string[] => [
  ...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values(),
];

export const LabelNames = z
  .array(LabelName)
  .max(mostLabelsOfConversation, `Use at most ${mostLabelsOfConversation} labels`)
  .transform(onceEach);

/** Sorts conversations: each has any of the account's labels. Contacts never see them. */
export const ConversationLabel = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  color: LabelColor,
  open_count: z.int().nonnegative().describe('Open conversations that have it, up to 1,000.'),
  created_at: Timestamp.describe('When it was made.'),
});
export type ConversationLabel = z.infer<typeof ConversationLabel>;

const NewLabel = z.object({ name: LabelName.describe('Its name, for people.'), color: LabelColor.default('gray') });
export type NewLabel = z.output<typeof NewLabel>;

const LabelChange = z.object({
  name: LabelName.optional().describe('Its name, for people.'),
  color: LabelColor.optional(),
});
export type LabelChange = z.output<typeof LabelChange>;

const params = z.object({ labelId: IdParam.describe('The label.') });
const access = { callers: ['user', 'api_key'], needsSubscription: true } as const;

export const listLabels = endpoint({
  ...access,
  callers: ['user', 'api_key', 'project_key'],
  method: 'GET',
  path: '/api/conversations/labels',
  reads: 'page',
  permission: 'messages:read',
  summary: "The account's labels of conversations, by name",
  query: z.object({ project_id: IdParam.optional().describe('Counts the conversations of this project alone.') }),
  response: { 200: listOf(ConversationLabel) },
});

export const createLabel = endpoint({
  ...access,
  method: 'POST',
  path: '/api/conversations/labels',
  audit: 'label.created',
  idempotency: 'atomic',
  permission: 'views:write',
  summary: `Make a label; an account has at most ${mostLabels}`,
  body: NewLabel,
  response: { 201: ConversationLabel },
});

export const updateLabel = endpoint({
  ...access,
  method: 'PATCH',
  path: '/api/conversations/labels/{labelId}',
  audit: 'label.changed',
  permission: 'views:write',
  summary: 'Rename a label or give it another colour, on every conversation that has it',
  params,
  body: LabelChange,
  response: { 200: ConversationLabel },
});

export const deleteLabel = endpoint({
  ...access,
  method: 'DELETE',
  path: '/api/conversations/labels/{labelId}',
  audit: 'label.deleted',
  permission: 'views:write',
  summary: 'Delete a label; conversations lose it',
  params,
  response: { 204: undefined },
});
