import type { PaymentProvider, ProviderSubscription } from '#server/connectors/payments/port.ts';
import { PaymentsUnavailableError } from '#server/connectors/payments/port.ts';

/** A payment provider whose answers a test sets, to play what the test payments never do. */
export type PaymentsStandIn = PaymentProvider & {
  /** Every subscription that it knows, by its order. */
  subscriptions: Map<string, ProviderSubscription>;
  /** The orders it was asked about, in their order. */
  asked: string[];
  isDown: boolean;
  /** Runs while it is being asked, before it answers. */
  whileAsked: (() => Promise<void>) | undefined;
};

export function createPaymentsStandIn(): PaymentsStandIn {
  const subscriptions = new Map<string, ProviderSubscription>();
  const change = (orderId: string, changed: Partial<ProviderSubscription>) => {
    const known = subscriptions.get(orderId);
    if (known) subscriptions.set(orderId, { ...known, ...changed });
  };
  return {
    name: 'paypal',
    subscriptions,
    asked: [],
    isDown: false,
    whileAsked: undefined,
    providerPlanId: (planId) => `P-${planId}`,
    async createOrder({ accountId, planId, requestId }) {
      if (this.isDown) throw new PaymentsUnavailableError();
      const orderId = `I-${requestId}`;
      if (!subscriptions.has(orderId)) {
        subscriptions.set(orderId, {
          orderId,
          state: 'approval_pending',
          stateSince: new Date(0),
          accountId,
          planId,
          startedAt: null,
          nextPaymentAt: null,
          paidUntil: null,
          paymentFailedAt: null,
        });
      }
      return { orderId, approvalUrl: `https://payments.example.com/approve/${orderId}` };
    },
    async findSubscription(orderId) {
      this.asked.push(orderId);
      if (this.isDown) throw new PaymentsUnavailableError();
      const answer = subscriptions.get(orderId);
      await this.whileAsked?.();
      return answer;
    },
    async cancel(orderId) {
      change(orderId, { state: 'cancelled', nextPaymentAt: null, paidUntil: null });
    },
    async resume(orderId) {
      change(orderId, { state: 'active' });
    },
  };
}
