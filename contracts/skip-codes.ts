import { z } from 'zod';
import { FailureCode } from './failure-codes.ts';

/** Why a recipient gets no message, and what it takes to reach them. The documentation reads it. */
export const skipGuide = {
  invalid_number: 'The phone number is not valid.',
  opted_out: 'The recipient has opted out.',
  topic_opted_out:
    'The recipient has opted out of the topic that it is about, or has not opted in where the topic needs that.',
  not_on_whatsapp: 'The number was found not to be on WhatsApp within the last 30 days.',
  must_write_first: 'WhatsApp lets nobody write to this number before it has written.',
  window_closed:
    'The recipient has not written within 24 hours, and the official API takes nothing but templates then.',
  profile_deleted: 'The profile was deleted before its turn.',
  no_longer_matches: 'The profile has left the segment, or no longer matches the conditions.',
  capped: 'The person has had as many messages of campaigns and flows as the caps allow.',
  empty_message: 'The message is empty for this recipient: its placeholders have no values.',
  message_too_long: 'The message is too long with the values of this recipient.',
  caption_too_long: 'The caption is too long with the values of this recipient.',
  variable_missing: 'A variable of the template has no value for this recipient, and no default.',
  marketing_capped:
    'Meta let no more marketing reach this recipient within the last 24 hours; messages of the project are not tried before.',
  withdrawn: 'It was taken back before its turn: the campaign was cancelled, the run stopped.',
} as const satisfies Record<string, string>;

export type SkipCode = keyof typeof skipGuide;

const skipCodes = Object.keys(skipGuide) as SkipCode[];

export const SkipCode = z
  .enum(skipCodes)
  .describe(`Why it was left out. ${skipCodes.map((code) => `\`${code}\`: ${skipGuide[code]}`).join(' ')}`);

export const EntryCode = z.enum([...new Set([...FailureCode.options, ...skipCodes])]);
export type EntryCode = z.infer<typeof EntryCode>;

/** The `error_code` of a recipient, a delivery or a row. */
export const entryErrorCode = EntryCode.nullable().describe(
  'Why it failed, as the `error_code` of its message says (null once that is deleted), or why it was skipped, which ' +
    'always has one.',
);

export const SkipCount = z.object({ code: SkipCode, count: z.int().nonnegative().describe('How many.') });
export type SkipCount = z.infer<typeof SkipCount>;

/** Of a campaign or a run, in its events. */
export const skips = z.array(SkipCount).describe('Why people were left out so far, the most frequent reasons first.');
