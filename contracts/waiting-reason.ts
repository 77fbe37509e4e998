import { z } from 'zod';

/**
 * The reason why waiting recipients are not sent to: nothing is lost meanwhile. Reasons that begin with `phone_` are
 * the pace and the limits of the phones' health; `portfolio_limit` is Meta's limit of people in 24 hours, and those that
 * begin with `template_` are the state of the WhatsApp template.
 */
export const WaitingReason = z.enum([
  'no_connected_phone',
  'phones_inactive',
  'sandbox_resting',
  'daily_limit',
  'subscription',
  'account_suspended',
  'contact_capped',
  'phone_allowance',
  'phone_linked_recently',
  'phone_night',
  'phone_hourly',
  'phone_limited',
  'phone_capped',
  'phone_locked',
  'phone_canary',
  'portfolio_limit',
  'phone_restricted',
  'template_paused',
  'template_changed',
  'template_unusable',
]);
export type WaitingReason = z.infer<typeof WaitingReason>;
