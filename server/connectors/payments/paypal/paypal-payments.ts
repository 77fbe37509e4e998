import { z } from 'zod';
import type { PayPalConfig } from '#server/config.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Logger } from '#server/platform/logger.ts';
import { PaymentsUnavailableError } from '../port.ts';
import type { PaymentProvider } from '../port.ts';
import { createPayPalClient } from './paypal-client.ts';
import type { PayPalAnswer, PayPalRequest } from './paypal-client.ts';
import { readPayPalEvent, readSignature } from './read-event.ts';
import { SubscriptionAnswer, readSubscription } from './subscription-answer.ts';
import { TransactionsAnswer, readTransactions } from './transactions-answer.ts';

const timeoutMs = 10_000;

const CreatedAnswer = z.object({
  id: z.string().min(1),
  links: z.array(z.object({ rel: z.string(), href: z.string() })),
});

/** Any gateway on the way can answer 404; in these words PayPal says itself that there is no such subscription. */
const NotFoundAnswer = z.object({ name: z.literal('RESOURCE_NOT_FOUND') });

export type PayPalPaymentsOptions = {
  config: PayPalConfig;
  /** Where the payer comes back to; an origin. */
  publicUrl: string;
  /** Which of our plans PayPal's plan in the settings is. */
  planId: number;
  clock: Clock;
  logger: Logger;
  timeoutMs?: number;
};

/** Subscriptions that PayPal bills, over its REST API (developer.paypal.com/docs/api/subscriptions/v1). */
export function createPayPalPayments(options: PayPalPaymentsOptions): PaymentProvider {
  const { config, publicUrl, clock } = options;
  const client = createPayPalClient({ timeoutMs, ...config, ...options });
  const offeredPlan = (planId: number) => (planId === options.planId ? config.planId : undefined);

  /** Undefined when PayPal knows no such subscription. */
  async function ask(request: PayPalRequest): Promise<PayPalAnswer | undefined> {
    const answer = await client({ ...request, expects: [404, ...(request.expects ?? [])] });
    if (answer.status !== 404) return answer;
    understand(NotFoundAnswer, answer.body);
    return undefined;
  }

  async function find(orderId: string) {
    const path = subscriptionPath(orderId);
    if (path === undefined) return undefined;
    const answer = await ask({ method: 'GET', path: `${path}?fields=last_failed_payment` });
    return answer && readSubscription(understand(SubscriptionAnswer, answer.body), clock.now());
  }

  return {
    name: 'paypal',
    providerPlanId: offeredPlan,
    manageUrl: manageUrlOf(config.baseUrl),
    async createOrder({ account, planId, requestId, startsAt }) {
      const answer = await client({
        method: 'POST',
        path: '/v1/billing/subscriptions',
        headers: { 'paypal-request-id': requestId },
        body: JSON.stringify({
          plan_id: offeredPlan(planId),
          custom_id: account.reference,
          ...(startsAt && { start_time: startsAt.toISOString() }),
          application_context: {
            brand_name: 'Dovepost',
            shipping_preference: 'NO_SHIPPING',
            user_action: 'SUBSCRIBE_NOW',
            return_url: `${publicUrl}/subscription`,
            cancel_url: `${publicUrl}/subscription?cancelled=1`,
          },
        }),
      });
      const { id, links } = understand(CreatedAnswer, answer.body);
      const approvalUrl = links.find(({ rel }) => rel === 'approve')?.href;
      return { orderId: id, ...(approvalUrl !== undefined && { approvalUrl }) };
    },
    findSubscription: find,
    async listPayments(orderId, { from, to }) {
      const path = subscriptionPath(orderId);
      if (path === undefined) return [];
      const query = new URLSearchParams({ start_time: from.toISOString(), end_time: to.toISOString() });
      const answer = await ask({ method: 'GET', path: `${path}/transactions?${query.toString()}` });
      return answer ? readTransactions(understand(TransactionsAnswer, answer.body)) : [];
    },
    async cancel(orderId) {
      const path = subscriptionPath(orderId);
      if (path === undefined) return;
      const answer = await ask({
        method: 'POST',
        path: `${path}/cancel`,
        body: JSON.stringify({ reason: 'Cancelled by the customer' }),
        expects: [422],
      });
      if (answer?.status !== 422) return;
      // The subscription has ended already, or PayPal cannot end it now: its state tells which.
      const state = (await find(orderId))?.state;
      if (state === 'active' || state === 'suspended') {
        throw new PaymentsUnavailableError({ cause: new Error(`PayPal refused to cancel ${orderId}`) });
      }
    },
    // PayPal calls a payment of a subscription a sale, also in its events.
    async refund(paymentId) {
      await client({
        method: 'POST',
        path: `/v1/payments/sale/${encodeURIComponent(paymentId)}/refund`,
        headers: { 'paypal-request-id': `refund-${paymentId}` },
        body: '{}',
      });
    },
    requireSignature: (headers) => void readSignature(headers),
    readEvent: (delivery) => readPayPalEvent(client, config.webhookId, delivery),
  };
}

/** Undefined for what cannot be an id of PayPal's: it would ask for something else. */
function subscriptionPath(orderId: string): string | undefined {
  return /^[A-Za-z0-9-]{1,64}$/.test(orderId) ? `/v1/billing/subscriptions/${orderId}` : undefined;
}

function understand<S extends z.ZodType>(schema: S, body: unknown): z.output<S> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new PaymentsUnavailableError({ cause: parsed.error });
  return parsed.data;
}

/** The payer's list of automatic payments stands beside the API, on the host for people. */
function manageUrlOf(baseUrl: string): string {
  const url = new URL('/myaccount/autopay/', baseUrl);
  url.hostname = url.hostname.replace(/^api(-m)?\./, 'www.');
  return url.href;
}
