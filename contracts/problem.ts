import { z } from 'zod';

/** A field that failed validation; `path` is dotted, as the caller spelled the field. */
export const FieldError = z.object({
  path: z.string().describe('Which field, dotted, as you spelled it.'),
  message: z.string().describe('What is wrong with it, a sentence.'),
});
export type FieldError = z.infer<typeof FieldError>;

/** The body of every error answer. `message` may be shown to a user; `code` is stable snake_case. */
export const Problem = z.object({
  message: z.string().describe('A sentence that a person may read.'),
  code: z.string().describe('Stable, snake_case: decide by it.'),
  errors: z.array(FieldError).optional().describe('With `invalid_input`: each field that is not valid.'),
  profile_id: z.int().positive().optional().describe('With `profile_exists`: the profile that has the number.'),
  suggestions: z
    .array(z.string())
    .optional()
    .describe('With `number_not_clear`: what the number may be, with + and the country; the likeliest first.'),
  message_id: z.int().positive().optional().describe('The message that was stored, where one was refused or failed.'),
  draft: z
    .object({
      content: z.record(z.string(), z.unknown()).describe('What is typed, as the page has it.'),
      revision: z.int().positive().describe('Save with it.'),
      updated_at: z.string().describe('When it was changed last.'),
    })
    .optional()
    .describe('With `draft_changed`: the draft as it is now.'),
  url: z.url().optional().describe('With `other_cell`: the address of Dovepost at which the account is.'),
  docs: z.string().describe('Where the documentation explains the code, and says whether to try again.'),
  request_id: z.string().describe('Names the request, as the `request-id` header does.'),
});
export type Problem = z.infer<typeof Problem>;
