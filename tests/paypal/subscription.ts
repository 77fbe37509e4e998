import { randomBytes } from 'node:crypto';

export type Status = 'APPROVAL_PENDING' | 'APPROVED' | 'ACTIVE' | 'SUSPENDED' | 'CANCELLED' | 'EXPIRED';

export type Money = { currency_code: string; value: string };

export type Plan = { id: string; status: 'ACTIVE' | 'INACTIVE'; price: Money; months: number };

/** The request that creates a subscription; PayPal's own buttons send the same. */
export type SubscriptionRequest = {
  plan_id: string;
  custom_id?: string;
  start_time?: string;
  /** Other terms than the plan's own. */
  plan?: object;
  application_context?: { return_url?: string; cancel_url?: string };
};

export type Transaction = {
  id: string;
  status: 'COMPLETED' | 'DECLINED' | 'PARTIALLY_REFUNDED' | 'PENDING' | 'REFUNDED';
  time: Date;
  amount: Money;
};

export type Subscription = {
  id: string;
  baToken: string;
  token: string;
  request: SubscriptionRequest;
  plan: Plan;
  status: Status;
  statusSince: Date;
  createdAt: Date;
  startsAt: Date | undefined;
  nextBillingAt: Date | undefined;
  /** When a failed payment is tried again, and how often it was. */
  retry: { at: Date; count: number } | undefined;
  lastPayment: { amount: Money; time: Date } | undefined;
  lastFailedPayment: { amount: Money; time: Date; retryAt: Date | undefined } | undefined;
  failedPayments: number;
  outstandingCents: number;
  /** Whether the payer's card takes a charge. */
  hasFunds: boolean;
  transactions: Transaction[];
};

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

/** In the manner of PayPal's ids. */
export function newId(prefix: string, length: number): string {
  return prefix + Array.from(randomBytes(length), (byte) => alphabet[byte % alphabet.length]).join('');
}

/** PayPal writes seconds, never milliseconds. */
export function writeTime(at: Date): string {
  return at.toISOString().replace(/\.\d{3}Z$/, 'Z');
}

export function addMonths(start: Date, months: number): Date {
  const end = new Date(start);
  end.setUTCDate(1);
  end.setUTCMonth(end.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
  end.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return end;
}

/** PayPal bills at ten in the morning, UTC, on the day of the month on which it began. */
export function nextBilling(start: Date, months: number, after: Date): Date {
  for (let periods = 1; ; periods += 1) {
    const at = addMonths(start, periods * months);
    at.setUTCHours(10, 0, 0, 0);
    if (at > after) return at;
  }
}

const usd = (cents: number): Money => ({ currency_code: 'USD', value: (cents / 100).toFixed(2) });

/** As GET /v1/billing/subscriptions/{id} shows it; some of it only when asked for by name. */
export function showSubscription(subscription: Subscription, fields: readonly string[], url: string): object {
  const { request, lastPayment, lastFailedPayment: failed, status } = subscription;
  const wasActive = subscription.startsAt !== undefined && status !== 'APPROVAL_PENDING';
  return {
    id: subscription.id,
    status,
    status_update_time: writeTime(subscription.statusSince),
    plan_id: subscription.plan.id,
    plan_overridden: request.plan !== undefined,
    ...(request.custom_id !== undefined && { custom_id: request.custom_id }),
    quantity: '1',
    start_time: writeTime(subscription.startsAt ?? subscription.createdAt),
    create_time: writeTime(subscription.createdAt),
    update_time: writeTime(subscription.statusSince),
    subscriber: { email_address: 'payer@example.com', payer_id: '2J6QB8YJQSJRJ' },
    ...(wasActive && {
      billing_info: {
        outstanding_balance: usd(subscription.outstandingCents),
        failed_payments_count: subscription.failedPayments,
        ...(lastPayment && { last_payment: { amount: lastPayment.amount, time: writeTime(lastPayment.time) } }),
        // Only what bills has a next time.
        ...(status === 'ACTIVE' &&
          subscription.nextBillingAt && { next_billing_time: writeTime(subscription.nextBillingAt) }),
        ...(failed &&
          fields.includes('last_failed_payment') && {
            last_failed_payment: {
              amount: failed.amount,
              time: writeTime(failed.time),
              reason_code: 'PAYMENT_DENIED',
              ...(failed.retryAt && { next_payment_retry_time: writeTime(failed.retryAt) }),
            },
          }),
      },
    }),
    links: [{ rel: 'self', method: 'GET', href: `${url}/v1/billing/subscriptions/${subscription.id}` }],
  };
}
