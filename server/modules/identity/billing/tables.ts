import type { Generated, GeneratedAlways } from 'kysely';
import type { PaymentProviderName, PaymentStatus, SubscriptionStatus } from '#contracts/billing.ts';
import type { AccessUntil, Json } from '#server/platform/db/columns.ts';

export type PlansTable = {
  id: number;
  name: string;
  description: string;
  price_cents: number;
  duration_months: number;
  features: Json<string[]>;
  project_limit: number;
};

export type SubscriptionsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  plan_id: number;
  provider: PaymentProviderName;
  order_id: string;
  /** The provider's id of the plan as it was when the order was made: a later setting changes nothing for it. */
  provider_plan_id: string;
  approval_url: string | null;
  status: SubscriptionStatus;
  /** When the first payment was agreed to be taken, the account being paid for until then; null: at once. */
  starts_at: Date | null;
  started_at: Date | null;
  next_payment_at: Date | null;
  /** The end of the last period known to be paid. */
  paid_until: Date | null;
  last_paid_at: Date | null;
  /** When the first payment failed of those that have not been made up for; null when none is owed. */
  payment_failed_at: Date | null;
  /** The payments at the provider may be others than those written down. */
  payments_stale: Generated<boolean>;
  /** The access that this subscription gives; the account has the latest of all. */
  access_until: AccessUntil;
  /** When the provider is polled next; null: never. */
  next_check_at: Date | null;
  /** Grows with every write, so that an older answer of the provider never overwrites a newer one. */
  version: Generated<number>;
  created_at: Date;
  updated_at: Date;
};

export type PaymentsTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  provider: PaymentProviderName;
  provider_payment_id: string;
  order_id: string;
  amount_cents: number;
  currency: string;
  status: PaymentStatus;
  paid_at: Date;
};

/** Events reported by the provider's webhook; each makes the server fetch the subscription. */
export type PaymentEventsTable = {
  provider: PaymentProviderName;
  event_id: string;
  type: string;
  order_id: string | null;
  payment_id: string | null;
  received_at: Date;
  attempts: Generated<number>;
  /** Null once nothing is left to do about it. */
  next_attempt_at: Date | null;
};

export type SubscriptionNoticesTable = {
  account_id: number;
  id: GeneratedAlways<number>;
  subscription_id: number;
  occasion: NoticeOccasion;
  /** Distinguishes one occasion from the next of its kind. */
  occurred_at: Date;
  access_ends_at: Date | null;
  created_at: Date;
  attempts: Generated<number>;
  /** Null once it is sent, or no longer to be sent. */
  next_attempt_at: Date | null;
  sent_at: Date | null;
};

/**
 * The occasions on which the owner of an account is notified, once each time:
 * - `payment_failed`: access goes on until `accessEndsAt`, unless the payment is made up for;
 * - `access_ends`: cancelled; access goes on until `accessEndsAt`;
 * - `access_ended`: nothing is sent any more since `accessEndsAt`; nothing is deleted, phones stay linked for 30 days;
 * - `phones_signed_out`: those 30 days are over;
 * - `welcome_back`: access is open again after it had ended, and waiting messages are being sent.
 */
export type NoticeOccasion = 'payment_failed' | 'access_ends' | 'access_ended' | 'phones_signed_out' | 'welcome_back';

export type BillingTables = {
  plans: PlansTable;
  subscriptions: SubscriptionsTable;
  payments: PaymentsTable;
  payment_events: PaymentEventsTable;
  subscription_notices: SubscriptionNoticesTable;
};
