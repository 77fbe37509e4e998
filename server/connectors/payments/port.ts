import type { PaymentProviderName, PaymentStatus } from '#contracts/billing.ts';
import { ProblemError } from '#server/platform/errors.ts';

/** How the provider itself sees a subscription, asked anew each time. */
export type ProviderSubscription = {
  orderId: string;
  /** `approved`: the payer agreed, and nothing is billed until the provider makes it active. */
  state: 'approval_pending' | 'approved' | 'active' | 'suspended' | 'cancelled' | 'expired';
  /** Since when it is in that state. */
  stateSince: Date;
  /** Which of our accounts it was made for, as given when it was created; null when none was given. */
  accountReference: string | null;
  /** The provider's id of its plan; null when the terms of the plan were changed for it. */
  providerPlanId: string | null;
  /** When it began, or is to begin; null while it was never approved. */
  startedAt: Date | null;
  nextPaymentAt: Date | null;
  /** Until when it is paid for, where the provider says so; it no longer does after a cancellation. */
  paidUntil: Date | null;
  lastPaidAt: Date | null;
  /** When a payment failed that has not been made up for since; null when none is owed. */
  paymentFailedAt: Date | null;
};

/** An attempt to take money; `failed`: none was taken. */
export type ProviderPayment = {
  id: string;
  amountCents: number;
  currency: string;
  status: PaymentStatus;
  paidAt: Date;
};

/** An event reported by the provider's webhook: a reason to ask, never the truth itself. */
export type ProviderEvent = {
  /** The same over all deliveries. */
  id: string;
  type: string;
  /** The subscription that it is about; null where it names none. */
  orderId: string | null;
  paymentId: string | null;
};

export type EventDelivery = { headers: Readonly<Record<string, string | undefined>>; body: Buffer };

/** `startsAt`: when the first payment is taken; null: at once. */
export type NewOrder = {
  account: { id: number; reference: string };
  planId: number;
  requestId: string;
  startsAt: Date | null;
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
  /** The provider's own id of a plan; undefined for a plan that cannot be paid for there. */
  providerPlanId(planId: number): string | undefined;
  /** Where the payer sees to the payments, for a provider that has such a page. */
  readonly manageUrl: string | null;
  /** A repeat with the same `requestId` answers the order that the first one made. */
  createOrder(order: NewOrder): Promise<CreatedOrder>;
  /** Undefined when the provider knows no such subscription. */
  findSubscription(orderId: string): Promise<ProviderSubscription | undefined>;
  /** Every payment of a subscription between two times, in any order. */
  listPayments(orderId: string, between: { from: Date; to: Date }): Promise<ProviderPayment[]>;
  /** Ends the renewal; what is paid for stays paid. Changes nothing when it does not renew. */
  cancel(orderId: string): Promise<void>;
  /** Gives a payment back whole; only a provider that takes money has it. A repeat gives nothing back twice. */
  refund?(paymentId: string): Promise<void>;
  /**
   * Takes a cancellation back; only a provider whose cancellations are not final has it. Changes nothing once the
   * paid period is over.
   */
  resume?(orderId: string): Promise<void>;
  /**
   * Reads an event that came by HTTP; only a provider that sends events has it. Throws a problem for one that the
   * provider did not send (401 `invalid_signature`) or that cannot be read (400).
   */
  readEvent?(delivery: EventDelivery): Promise<ProviderEvent>;
  /** Throws 400 `missing_signature` for an event without one, by its headers alone. */
  requireSignature?(headers: EventDelivery['headers']): void;
  /**
   * Plays the payer; only a provider that takes no money has it. The first decision stands and is what every later
   * call answers. Undefined when the account has no such order.
   */
  decideOrder?(input: { orderId: string; accountId: number; approve: boolean }): Promise<OrderDecision | undefined>;
};

export type OrderDecision = 'approved' | 'declined';
