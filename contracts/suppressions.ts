import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { MessageText, writtenPerson } from './new-message.ts';
import { Id, Timestamp, WholeNumber } from './page.ts';

/** The source of an opt-out or opt-in: a reply from the handset, a person, a program, a file. */
export const SuppressionSource = z.enum(['reply', 'user', 'api', 'import']);
export type SuppressionSource = z.infer<typeof SuppressionSource>;

/** The message that said so. */
export const SuppressionEvidence = z.object({
  message_id: Id.describe('The message that said so.'),
  text: z.string().describe('What it said.'),
});
export type SuppressionEvidence = z.infer<typeof SuppressionEvidence>;

/** Somebody who gets nothing; the other ways to write the same handset are meant too. */
export const Suppression = z.object({
  phone: z.string().describe('Digits; `lid:` and the LID of a person whose number is not known.'),
  opted_out_at: Timestamp.describe('When it opted out.'),
  by: SuppressionSource.describe('How it came about.'),
  evidence: SuppressionEvidence.nullable().describe('The message that said so; null where there was none.'),
  note: z.string().nullable().describe('Why, in words of your own; null for none.'),
  topic: z
    .enum(['*', 'marketing'])
    .describe(
      '`*`: it gets nothing. `marketing`: it stopped marketing in WhatsApp, and gets nothing of campaigns, flows and ' +
        'bulk runs until it resumes there.',
    ),
});
export type Suppression = z.infer<typeof Suppression>;

/** A line of the log: `note` is the reason of an opt-in. */
export const SuppressionEvent = z.object({
  action: z.enum(['opted_out', 'opted_in']).describe('Whether the number was put on the list or taken off it.'),
  phone: z.string().describe('The full number with the calling code, digits.'),
  by: SuppressionSource.describe('How it came about.'),
  evidence: SuppressionEvidence.nullable().describe('The message that said so; null where there was none.'),
  note: z.string().nullable().describe('Why, in words of your own; null for none.'),
  at: Timestamp.describe('When it was made.'),
});
export type SuppressionEvent = z.infer<typeof SuppressionEvent>;

/** The `data` of the webhooks `contact.opted_out` and `contact.opted_in`. */
export const ContactOptOut = z.object({
  phone: z.string().describe('The full number with the calling code, digits.'),
  profile_id: Id.nullable().describe('Null when nobody with that number is kept.'),
  opted_out: z.boolean().describe('Whether they are left alone from now on.'),
  at: Timestamp.describe('When they opted out, or in again.'),
  by: SuppressionSource.describe('How it came about.'),
  evidence: SuppressionEvidence.nullable().describe('The message that said so; null where there was none.'),
  note: z.string().nullable().describe('Why, in words of your own; null for none.'),
});
export type ContactOptOut = z.infer<typeof ContactOptOut>;

const Note = z.string().trim().max(500, 'Use at most 500 characters');

/** Why somebody may be written to again. */
export const OptInReason = Note.min(3, 'Say why in a few words');

const phoneOfPath = z.object({ phone: writtenPerson() });

export const listSuppressions = endpoint({
  method: 'GET',
  path: '/api/suppressions',
  acrossProjects: true,
  reads: 'page',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary:
    'Numbers that have opted out, those of marketing before the others, each the latest first; `after` is the ' +
    '`next_cursor` of the page before',
  query: z.object({
    search: z.string().trim().max(40, 'Use at most 40 characters').optional().describe('Part of a number.'),
    by: SuppressionSource.optional().describe('Those put there this way alone.'),
    after: WholeNumber.optional().describe('The `next_cursor` of the page before.'),
    limit: WholeNumber.pipe(z.int().min(1, 'Use 1 to 100').max(100, 'Use 1 to 100'))
      .default(50)
      .describe('How many, up to 100.'),
  }),
  response: {
    200: z.object({
      data: z.array(Suppression).describe('The entries.'),
      next_cursor: z.string().nullable().describe('For `after`; null on the last page.'),
    }),
  },
});

export const addSuppression = endpoint({
  method: 'POST',
  path: '/api/suppressions',
  audit: 'suppression.added',
  idempotency: 'atomic',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  answerNeeds: 'contacts:read',
  needsSubscription: true,
  summary: 'Leave a number alone; one that has opted out already stays as it is',
  body: z.object({
    phone: writtenPerson(),
    note: Note.nullable().optional().describe('Why, in words of your own; null for none.'),
  }),
  response: { 201: Suppression },
  errors: ['number_not_clear'],
});

export const getSuppression = endpoint({
  method: 'GET',
  path: '/api/suppressions/{phone}',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'Whether a number has opted out, and its log, the latest 100 lines first',
  params: phoneOfPath,
  response: {
    200: z.object({
      phone: z.string().describe('The full number with the calling code, digits.'),
      opted_out: z.boolean().describe('Whether it is on the list.'),
      suppression: Suppression.nullable().describe('Null: the number is not on the list.'),
      log: z.array(SuppressionEvent).describe('What happened to it, newest first.'),
    }),
  },
});

export const removeSuppression = endpoint({
  method: 'DELETE',
  path: '/api/suppressions/{phone}',
  audit: 'suppression.removed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary: 'Write to a number again, with the reason why that is right; the log keeps it',
  params: phoneOfPath,
  query: z.object({ reason: OptInReason.describe('Why the person may be written to again.') }),
  response: { 204: undefined },
});

export const exportSuppressions = endpoint({
  method: 'GET',
  path: '/api/suppressions/export',
  acrossProjects: true,
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'All numbers that have opted out, as CSV, the oldest first',
  produces: 'text/csv',
  response: { 200: z.string() },
});

/** A line of the file that named no number; lines count from 1, the header included. */
export const RejectedLine = z.object({
  line: z.int().positive().describe('The line of the file, the header included.'),
  reason: z.string().describe('Why the line was left out, a sentence.'),
});
export type RejectedLine = z.infer<typeof RejectedLine>;

export const SuppressionImport = z.object({
  added: z.int().nonnegative().describe('How many were put on the list.'),
  already: z.int().nonnegative().describe('Had opted out before.'),
  rejected: z.int().nonnegative().describe('The lines that named no number.'),
  rejected_lines: z.array(RejectedLine).describe('The first 100 of them.'),
});
export type SuppressionImport = z.infer<typeof SuppressionImport>;

export const importSuppressions = endpoint({
  method: 'POST',
  path: '/api/suppressions/import',
  audit: { act: 'suppression.imported', row: 'around', intent: 'suppression.import_requested' },
  idempotency: 'recorded',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary:
    'Leave all numbers of a CSV file alone: the column `phone`, or the first one, and `note`. The same file again changes nothing',
  consumes: 'text/csv',
  response: { 200: SuppressionImport },
  errors: ['file_too_large', 'invalid_csv'],
});

const maxWords = 100;
const Words = z
  .array(z.string().trim().min(1, 'A word is empty').max(40, 'A word has at most 40 characters'))
  .max(maxWords, `Use at most ${maxWords} words`);

/** The replies that count as opting out, and their confirmation. */
export const OptOutSettings = z.object({
  recognizes_replies: z.boolean().describe('Whether replies are read as opt-outs.'),
  opt_out_words: Words.describe(
    'A message that is one of these and nothing else opts out; case, punctuation and accents do not count.',
  ),
  opt_in_words: Words.describe('Replies that opt in again.'),
  confirms_opt_out: z.boolean().describe('Whether an opt-out is confirmed.'),
  opt_out_text: MessageText.describe('What confirms an opt-out.'),
  confirms_opt_in: z.boolean().describe('Whether an opt-in is confirmed.'),
  opt_in_text: MessageText.describe('What confirms an opt-in.'),
});
export type OptOutSettings = z.infer<typeof OptOutSettings>;

export const OptOutSettingsChange = OptOutSettings.partial();
export type OptOutSettingsChange = z.output<typeof OptOutSettingsChange>;

export const getOptOutSettings = endpoint({
  method: 'GET',
  path: '/api/opt-out-settings',
  acrossProjects: true,
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:read',
  needsSubscription: true,
  summary: 'What counts as opting out by reply, how that is confirmed, and the defaults',
  response: { 200: OptOutSettings.extend({ defaults: OptOutSettings }) },
});

export const updateOptOutSettings = endpoint({
  method: 'PUT',
  path: '/api/opt-out-settings',
  audit: 'opt_out_settings.changed',
  callers: ['user', 'api_key', 'project_key'],
  permission: 'contacts:write',
  needsSubscription: true,
  summary: 'Change what the body names',
  body: OptOutSettingsChange,
  response: { 200: OptOutSettings.extend({ defaults: OptOutSettings }) },
});
