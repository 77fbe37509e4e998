import { z } from 'zod';
import { endpoint, lineOf } from './endpoint.ts';
import { MessageStatus } from './messages.ts';
import { contentRule, newMessageFields } from './new-message.ts';
import { Id } from './page.ts';

export const maxBatchLines = 1_000;

/** A line of a batch. */
export const BatchMessage = newMessageFields
  .extend({
    idempotency_key: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('As the header of `POST /api/send-message`, for this line alone.'),
  })
  .superRefine(...contentRule);
export type BatchMessage = z.output<typeof BatchMessage>;

export const BatchAnswer = z.object({
  index: z.int().nonnegative().describe("The line's place in the batch, from 0."),
  id: Id.optional().describe('Of the message; absent where the line was not taken.'),
  status: MessageStatus.optional().describe('How far it has come, or how it is now.'),
  error: z
    .object({
      code: z.string().describe('Stable, snake_case: decide by it.'),
      message: z.string().describe('The text.'),
      suggestions: z
        .array(z.string())
        .optional()
        .describe('With `number_not_clear`: what the number may be, with + and the country.'),
    })
    .optional()
    .describe('Why it failed, a sentence; null or absent while it has not.'),
});
export type BatchAnswer = z.infer<typeof BatchAnswer>;

export const sendBatch = endpoint({
  method: 'POST',
  path: '/api/messages/batch',
  audit: { act: 'message.sent', row: 'none', because: 'The message itself is the record.' },
  idempotency: 'atomic',
  callers: ['project_key'],
  permission: 'messages:send',
  needsSubscription: true,
  summary: 'Accept up to 1,000 messages, each sent as soon as a phone has room for it; a line of the answer each',
  isJudgedByLine: true,
  maxValues: 100_000,
  body: z.object({
    messages: z
      .array(lineOf(BatchMessage))
      .min(1, 'Send at least one message')
      .max(maxBatchLines, 'Send at most 1000 messages')
      .describe('One line each, up to 1,000.'),
  }),
  response: { 202: z.object({ data: z.array(BatchAnswer).describe('The entries.') }) },
  errors: ['invalid_auth_key', 'too_many_waiting'],
});
