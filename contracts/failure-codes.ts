import { z } from 'zod';
import type { Retry } from './problem-guide.ts';

type Guide = { readonly retry: Retry; readonly meaning: string; readonly action: string };

const guide = (retry: Retry, meaning: string, action: string): Guide => ({ retry, meaning, action });

/**
 * The meaning of each code, and whether the same text may be sent again, as a new message. The documentation reads it.
 */
export const failureGuide = {
  not_on_whatsapp: guide('no', 'The number is not on WhatsApp.', 'Reach this person another way.'),
  network_refused: guide(
    'later',
    'The messaging network refused the message; `error` has its reason.',
    'Read `error`; where it is about the phone number, wait until that can send.',
  ),
  account_restricted: guide(
    'later',
    'WhatsApp restricts the phone number that was to send it.',
    'Wait until `health` of the phone number says that it may.',
  ),
  look_ups_paused: guide(
    'later',
    'WhatsApp answers too few questions about numbers at present to find out whether this one has an account.',
    'Send it again in some hours.',
  ),
  delivery_unknown: guide(
    'no',
    'The connection broke while it was sent: it may have arrived, and is not sent again by itself.',
    'Send it again only where reading it twice does no harm.',
  ),
  phone_deleted: guide(
    'yes',
    'Its phone number was deleted before it was sent.',
    'Another phone number of the project sends it.',
  ),
  opted_out: guide('no', 'The recipient opted out before it was sent.', 'Leave the number alone.'),
  topic_opted_out: guide(
    'no',
    'The recipient opted out of the topic of its campaign, flow or bulk run before it was sent.',
    'Send it under another topic only where it is about that.',
  ),
  media_unavailable: guide(
    'no',
    'Its file could not be read, or was removed before it was sent.',
    'Upload the file again, and name the new one.',
  ),
  media_upload_failed: guide(
    'yes',
    "WhatsApp's servers for media did not take its file.",
    'Send it again after some minutes.',
  ),
  number_stopped: guide(
    'later',
    'The network lets the phone number send nothing until its owner does something; `error` says what.',
    'Do what `error` says, and connect the number again.',
  ),
  window_closed: guide(
    'no',
    'The contact last wrote more than 24 hours ago, and the official API takes nothing but templates then.',
    'Send a template, or wait until the contact writes.',
  ),
  template_refused: guide(
    'no',
    'Meta does not take the template as it was sent: it is paused, not approved, or its variables do not fit.',
    'Look at the template and at `error`.',
  ),
  marketing_capped: guide(
    'later',
    'Meta limits how many marketing messages a person gets.',
    'Send it again after 24 hours at the earliest.',
  ),
  withdrawn: guide('no', 'It was taken back before it was sent, say with its campaign.', 'Nothing: you wanted that.'),
} as const satisfies Record<string, Guide>;

const codes = Object.keys(failureGuide) as (keyof typeof failureGuide)[];

/** Why a message failed: the `error_code` of records and webhooks, and the `code` of the problem that refuses a send. */
export const FailureCode = z
  .enum(codes)
  .describe(`Why it failed. ${codes.map((code) => `\`${code}\`: ${failureGuide[code].meaning}`).join(' ')}`);
export type FailureCode = z.infer<typeof FailureCode>;
