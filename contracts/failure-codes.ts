import { z } from 'zod';

/** What each means, a sentence for the documentation. */
export const failureWords = {
  not_on_whatsapp: 'The number is not on WhatsApp.',
  network_refused: 'The messaging network refused the message; `error` has its reason.',
  account_restricted: 'WhatsApp restricts the phone number that was to send it.',
  look_ups_paused:
    'WhatsApp answers too few questions about numbers at present to find out whether this one has an account.',
  delivery_unknown: 'The connection broke while it was sent: it may have arrived, and is not sent again by itself.',
  phone_deleted: 'Its phone number was deleted before it was sent.',
  opted_out: 'The recipient opted out before it was sent.',
  media_unavailable: 'Its file could not be read, or was removed before it was sent.',
  media_upload_failed: "WhatsApp's servers for media did not take its file.",
  withdrawn: 'It was taken back before it was sent, say with its campaign.',
} as const;

const codes = Object.keys(failureWords) as (keyof typeof failureWords)[];

/** Why a message failed: the `error_code` of records and webhooks, and the `code` of the problem that refuses a send. */
export const FailureCode = z
  .enum(codes)
  .describe(`Why it failed. ${codes.map((code) => `\`${code}\`: ${failureWords[code]}`).join(' ')}`);
export type FailureCode = z.infer<typeof FailureCode>;
