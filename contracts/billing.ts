import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, Timestamp } from './page.ts';

export const Plan = z.object({
  id: Id,
  name: z.string(),
  description: z.string(),
  /** US dollars a month. */
  price: z.number(),
  currency: z.literal('USD'),
  /** Months. */
  duration: z.int(),
  paypal_plan_id: z.string().nullable(),
  features: z.array(z.string()),
  project_limit: z.int(),
});
export type Plan = z.infer<typeof Plan>;

/** The seeded plan, and what a client shows before it has heard from the server. */
export const premiumPlan: Plan = {
  id: 1,
  name: 'Premium Plan',
  description: 'Access to all WhatsApp API features',
  price: 9.99,
  currency: 'USD',
  duration: 1,
  paypal_plan_id: null,
  features: ['Unlimited connections', 'Webhooks', 'API access', 'Priority support'],
  project_limit: 1,
};

/**
 * `none`: never paid; `pending`: an order waits for approval; `past_due`: a payment failed, in grace, still active;
 * `cancelled`: active until the paid period ends.
 */
export const SubscriptionStatus = z.enum([
  'none',
  'pending',
  'active',
  'past_due',
  'suspended',
  'cancelled',
  'expired',
]);
export type SubscriptionStatus = z.infer<typeof SubscriptionStatus>;

export const PaymentProviderName = z.enum(['paypal', 'test']);
export type PaymentProviderName = z.infer<typeof PaymentProviderName>;

export const CurrentSubscription = z.object({
  order_id: z.string(),
  provider: PaymentProviderName,
  status: SubscriptionStatus,
  started_at: Timestamp.nullable(),
  /** When the provider takes the next payment; null once cancelled. */
  next_payment_at: Timestamp.nullable(),
  /** When access ends unless something changes; null while it renews. */
  access_ends_at: Timestamp.nullable(),
});
export type CurrentSubscription = z.infer<typeof CurrentSubscription>;

export const Subscription = z.object({
  status: SubscriptionStatus,
  hasActiveSubscription: z.boolean(),
  plan: Plan.nullable(),
  currentSubscription: CurrentSubscription.nullable(),
  /** The plan on offer. */
  subscriptionPlan: Plan,
  /** How payments are taken on this server; `test` takes no money. */
  provider: PaymentProviderName,
});
export type Subscription = z.infer<typeof Subscription>;

const PlanId = z.int('Expected the id of a plan').positive();

export const Order = z.object({
  planId: Id,
  paypalPlanId: z.string().nullable(),
  provider: PaymentProviderName,
  orderId: z.string().optional(),
  /** Where the payer approves (paypal). */
  approvalUrl: z.string().optional(),
  status: z.enum(['approval_pending']),
});
export type Order = z.infer<typeof Order>;

export const OrderCapture = z.object({ orderId: z.string().trim().min(1).max(100), planId: PlanId });
export type OrderCapture = z.infer<typeof OrderCapture>;

export const TestApproval = z.object({ orderId: z.string().trim().min(1).max(100), approve: z.boolean() });
export type TestApproval = z.infer<typeof TestApproval>;

export const createOrder = endpoint({
  method: 'POST',
  path: '/api/subscription/create-order',
  access: 'session',
  summary: 'Start paying for a plan',
  body: z.object({ planId: PlanId }),
  response: { 200: Order },
  errors: ['plan_not_found', 'already_subscribed', 'payments_unavailable'],
});

export const captureOrder = endpoint({
  method: 'POST',
  path: '/api/subscription/capture-order',
  access: 'session',
  summary: 'Ask the provider whether the order is paid, and open access',
  body: OrderCapture,
  response: { 200: Subscription },
  errors: ['plan_not_found', 'payment_not_approved', 'payments_unavailable'],
});

export const approveTestOrder = endpoint({
  method: 'POST',
  path: '/api/subscription/test-approval',
  access: 'session',
  summary: 'Test payments only: play the payer who approves or declines',
  body: TestApproval,
  response: { 200: z.object({ orderId: z.string(), status: z.enum(['approved', 'declined']) }) },
  errors: ['order_not_found', 'test_payments_off'],
});

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/subscription/cancel',
  access: 'session',
  summary: 'Stop renewing; access stays until the paid period ends',
  response: { 200: Subscription },
  errors: ['not_subscribed', 'payments_unavailable'],
});

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/api/subscription/resume',
  access: 'session',
  summary: 'Take a cancellation back while the paid period lasts',
  response: { 200: Subscription },
  errors: ['not_cancelled', 'payments_unavailable'],
});
