import { z } from 'zod';

/**
 * The reason why waiting recipients are not sent to: nothing is lost meanwhile. Reasons that begin with `phone_` are
 * the pace and the limits of the phones' health.
 */
export const WaitingReason = z.enum([
  'no_connected_phone',
  'phones_inactive',
  'sandbox_resting',
  'daily_limit',
  'subscription',
  'account_suspended',
  'phone_allowance',
  'phone_linked_recently',
  'phone_night',
  'phone_hourly',
  'phone_limited',
  'phone_capped',
  'phone_locked',
  'phone_canary',
]);
export type WaitingReason = z.infer<typeof WaitingReason>;
