import type { PaymentProviderName } from '#contracts/billing.ts';
import { ProblemError } from '#server/platform/errors.ts';

/** How the provider itself sees a subscription, asked anew each time. */
export type ProviderSubscription = {
  orderId: string;
  /** `approved`: the payer agreed, the first payment is on its way. */
  state: 'approval_pending' | 'approved' | 'active' | 'suspended' | 'cancelled' | 'expired';
  /** Since when it is in that state. */
  stateSince: Date;
  /** Which of our accounts it was made for, as told when it was created; null when the provider was not told. */
  accountId: number | null;
  /** Our plan's id; null for a plan that is not ours. */
  planId: number | null;
  startedAt: Date | null;
  nextPaymentAt: Date | null;
  /** Until when it is paid for, where the provider knows. */
  paidUntil: Date | null;
  /** When a payment failed that has not been made up for since; null when none is owed. */
  paymentFailedAt: Date | null;
};

/** `approvalUrl`: where the payer approves, for a provider that has such a page. */
type CreatedOrder = { orderId: string; approvalUrl?: string };

/** The provider could not be asked: nothing is known, nothing may change. */
export class PaymentsUnavailableError extends ProblemError {
  constructor(options?: { cause: unknown }) {
    super(503, 'payments_unavailable', 'Payments cannot be reached right now. Try again in a moment.', {
      headers: { 'retry-after': '10' },
    });
    if (options) this.cause = options.cause;
  }
}

/** A payment provider of subscriptions. Every call gives up after 10 s with `PaymentsUnavailableError`. */
export type PaymentProvider = {
  readonly name: PaymentProviderName;
  /** The provider's own id of a plan; null where it has none. */
  providerPlanId(planId: number): string | null;
  /** A repeat with the same `requestId` answers the order that the first one made. */
  createOrder(input: { accountId: number; planId: number; requestId: string }): Promise<CreatedOrder>;
  /** Undefined when the provider knows no such subscription. */
  findSubscription(orderId: string): Promise<ProviderSubscription | undefined>;
  /** Ends the renewal; what is paid for stays paid. Changes nothing when it does not renew. */
  cancel(orderId: string): Promise<void>;
  /** Takes a cancellation back. Changes nothing once the paid period is over. */
  resume(orderId: string): Promise<void>;
  /**
   * Plays the payer; only a provider that takes no money has it. The first decision stands and is what every later
   * call answers. Undefined when the account has no such order.
   */
  decideOrder?(input: { orderId: string; accountId: number; approve: boolean }): Promise<OrderDecision | undefined>;
};

export type OrderDecision = 'approved' | 'declined';
