import { z } from 'zod';

/** Why a message failed: the `error_code` of records and webhooks, and the `code` of the problem that refuses a send. */
export const FailureCode = z.enum([
  'not_on_whatsapp',
  'network_refused',
  'account_restricted',
  'delivery_unknown',
  'phone_deleted',
  'withdrawn',
]);
export type FailureCode = z.infer<typeof FailureCode>;

/** What each means, a sentence for the documentation. */
export const failureCodeWords: Readonly<Record<FailureCode, string>> = {
  not_on_whatsapp: 'The number is not on WhatsApp.',
  network_refused: 'The messaging network refused the message; `error` has its reason.',
  account_restricted: 'WhatsApp restricts the phone number that was to send it.',
  delivery_unknown: 'The connection broke while it was sent: it may have arrived, and is not sent again by itself.',
  phone_deleted: 'Its phone number was deleted before it was sent.',
  withdrawn: 'It was taken back before it was sent, say with its campaign.',
};
