import { z } from 'zod';
import type { ProviderSubscription } from '../port.ts';

const Time = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const Money = z.object({ currency_code: z.string(), value: z.string().regex(/^-?\d*\.?\d+$/) });

/** GET /v1/billing/subscriptions/{id}; `last_failed_payment` comes only when `fields` asks for it. */
export const SubscriptionAnswer = z.object({
  id: z.string().min(1),
  status: z.enum(['APPROVAL_PENDING', 'APPROVED', 'ACTIVE', 'SUSPENDED', 'CANCELLED', 'EXPIRED']),
  status_update_time: Time.optional(),
  plan_id: z.string(),
  plan_overridden: z.boolean().optional(),
  custom_id: z.string().optional(),
  create_time: Time,
  start_time: Time.optional(),
  billing_info: z
    .object({
      outstanding_balance: Money.optional(),
      last_payment: z.object({ time: Time }).optional(),
      next_billing_time: Time.optional(),
      failed_payments_count: z.int().optional(),
      last_failed_payment: z.object({ time: Time }).optional(),
    })
    .optional(),
});
type SubscriptionAnswer = z.output<typeof SubscriptionAnswer>;
type BillingInfo = NonNullable<SubscriptionAnswer['billing_info']>;

const states = {
  APPROVAL_PENDING: 'approval_pending',
  APPROVED: 'approved',
  ACTIVE: 'active',
  SUSPENDED: 'suspended',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
} as const satisfies Record<SubscriptionAnswer['status'], ProviderSubscription['state']>;

export function readSubscription(answer: SubscriptionAnswer, now: Date): ProviderSubscription {
  const { status, billing_info: billing = {} } = answer;
  const lastPaidAt = billing.last_payment?.time ?? null;
  const paymentFailedAt = failureOf(billing, now);
  const nextPaymentAt = billing.next_billing_time ?? null;
  return {
    orderId: answer.id,
    state: states[status],
    stateSince: answer.status_update_time ?? answer.create_time,
    accountReference: answer.custom_id ?? null,
    // A customer can change prices and periods of the plan through PayPal's buttons: such a subscription has no plan of
    // ours.
    providerPlanId: answer.plan_overridden === true ? null : answer.plan_id,
    // An order that waits, or was never paid for, has a start as well.
    startedAt: status === 'ACTIVE' || status === 'SUSPENDED' || lastPaidAt ? (answer.start_time ?? null) : null,
    nextPaymentAt,
    // While a payment is owed the next one stands in the calendar, but nothing is paid until then.
    paidUntil: lastPaidAt && !paymentFailedAt ? nextPaymentAt : null,
    lastPaidAt,
    paymentFailedAt,
  };
}

/**
 * PayPal retries a failed payment for days before it counts it, and the subscription stays ACTIVE meanwhile: the latest
 * failure is owed as long as no payment has come after it.
 */
function failureOf(billing: BillingInfo, now: Date): Date | null {
  const { last_payment: paid, last_failed_payment: failed, failed_payments_count: count = 0 } = billing;
  if (failed) return count > 0 || !paid || failed.time > paid.time ? failed.time : null;
  const owed = Number(billing.outstanding_balance?.value ?? 0);
  // PayPal does not say since when the payment is owed: the time of the observation stands in.
  return count > 0 || (owed > 0 && paid) ? now : null;
}
