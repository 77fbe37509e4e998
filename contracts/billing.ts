import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { Id, Timestamp, pageOf, pageQuery } from './page.ts';

export const Plan = z.object({
  id: Id.describe('Its id.'),
  name: z.string().describe('Its name, for people.'),
  description: z.string().describe('What it is for.'),
  price: z.number().describe('US dollars a month.'),
  currency: z.literal('USD').describe('ISO 4217.'),
  duration: z.int().describe('Months.'),
  paypal_plan_id: z.string().nullable().describe("PayPal's own id of the plan; null where PayPal is off."),
  features: z.array(z.string()).describe('What it comes with.'),
  project_limit: z.int().describe('How many projects an account may have.'),
});
export type Plan = z.infer<typeof Plan>;

/** The seeded plan, and what a client shows before the server has answered. */
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

/** How many days an account's phones stay linked after its access has ended. */
export const phonesStayLinkedDays = 30;

/**
 * `none`: never paid; `pending`: an order waits for approval; `past_due`: a payment failed, in grace, still active;
 * `suspended`: a payment failed and the grace is over; `cancelled`: active until the paid period ends.
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
  order_id: z.string().describe("The provider's id of the subscription."),
  provider: PaymentProviderName.describe('Who takes the payments; `test` takes no money.'),
  status: SubscriptionStatus.describe('How far it has come, or how it is now.'),
  started_at: Timestamp.nullable().describe('When it began; null until then.'),
  next_payment_at: Timestamp.nullable().describe('When the provider takes the next payment; null once cancelled.'),
  access_ends_at: Timestamp.nullable().describe(
    'When access ends unless something changes, or when it ended; null while it renews.',
  ),
  paid_until: Timestamp.nullable().describe(
    'Until when the account has paid, and what a cancellation leaves of its access; null when nothing was paid.',
  ),
  can_resume: z
    .boolean()
    .describe(
      'Whether `resume` takes the cancellation back. False beside `cancelled`: the provider has ended it for ' +
        'good, or an operator granted the access, and create-order starts a new one whose first payment is taken when that ends.',
    ),
  manage_url: z
    .string()
    .nullable()
    .describe(
      'Where the payer sees to the payments at the provider, to open in a tab of its own; null where there is ' +
        'no such page.',
    ),
});
export type CurrentSubscription = z.infer<typeof CurrentSubscription>;

export const Subscription = z.object({
  status: SubscriptionStatus.describe('How far it has come, or how it is now.'),
  hasActiveSubscription: z.boolean().describe('Whether the account may use the product now.'),
  trial_ends_at: Timestamp.nullable().describe(
    'Until when sandbox numbers can be tried without a payment, where the operator allows it: `hasActiveSubscription` ' +
      'is true meanwhile, and other numbers are refused (402). Null where no trial is open.',
  ),
  trial_ended_at: Timestamp.nullable().describe('When a trial ended, where nothing has been subscribed to since.'),
  plan: Plan.nullable().describe('The plan that was paid for; null for none.'),
  currentSubscription: CurrentSubscription.nullable().describe('The latest subscription; null for none.'),
  subscriptionPlan: Plan.describe('The plan on offer.'),
  provider: PaymentProviderName.describe('How payments are taken on this server; `test` takes no money.'),
});
export type Subscription = z.infer<typeof Subscription>;

const PlanId = z.int('Choose the id of a plan').positive();

export const Order = z.object({
  planId: Id.describe('Of which plan.'),
  paypalPlanId: z.string().nullable().describe("PayPal's own id of the plan; null where PayPal is off."),
  provider: PaymentProviderName.describe('Who takes the payments; `test` takes no money.'),
  orderId: z.string().optional().describe("The provider's id of the subscription."),
  approvalUrl: z.string().optional().describe('Where the payer approves (paypal).'),
  customId: z
    .string()
    .optional()
    .describe("What a subscription that the provider's own buttons make must carry as `custom_id` to count (paypal)."),
  startsAt: Timestamp.nullable().describe(
    "When the first payment is taken, and what the provider's own buttons must send as `start_time`; null: at  once.",
  ),
  status: z.enum(['approval_pending']).describe('How far it has come, or how it is now.'),
});
export type Order = z.infer<typeof Order>;

const orderExpected = 'Choose the id of an order';
const OrderId = z.string(orderExpected).trim().min(1, orderExpected).max(100, orderExpected);

export const OrderCapture = z.object({
  orderId: OrderId.describe("The provider's id of the subscription."),
  planId: PlanId.describe('Of which plan.'),
});
export type OrderCapture = z.infer<typeof OrderCapture>;

export const TestApproval = z.object({
  orderId: OrderId.describe("The provider's id of the subscription."),
  approve: z.boolean().describe('`false` declines.'),
});
export type TestApproval = z.infer<typeof TestApproval>;

/** `reversed`: the payer's bank took it back. `failed`: nothing was charged. */
export const PaymentStatus = z.enum(['completed', 'refunded', 'reversed', 'failed']);
export type PaymentStatus = z.infer<typeof PaymentStatus>;

export const Payment = z.object({
  id: Id.describe('Its id.'),
  order_id: z.string().describe('The subscription that it was for.'),
  provider: PaymentProviderName.describe('Who takes the payments; `test` takes no money.'),
  amount: z.number().describe('Dollars.'),
  currency: z.string().describe('ISO 4217.'),
  status: PaymentStatus.describe('How far it has come, or how it is now.'),
  paid_at: Timestamp.describe('When it was paid.'),
});
export type Payment = z.infer<typeof Payment>;

/** The headers that a PayPal signature covers besides the bytes of its event. */
const PayPalHeader = z.string().max(2000).optional();
export const PayPalHeaders = z.object({
  'paypal-transmission-id': PayPalHeader.describe('Of the provider.'),
  'paypal-transmission-time': PayPalHeader.describe('Of the provider.'),
  'paypal-transmission-sig': PayPalHeader.describe('Of the provider.'),
  'paypal-cert-url': PayPalHeader.describe('Of the provider.'),
  'paypal-auth-algo': PayPalHeader.describe('Of the provider.'),
});
export type PayPalHeaders = z.infer<typeof PayPalHeaders>;

export const createOrder = endpoint({
  method: 'POST',
  path: '/api/subscription/create-order',
  audit: { act: 'subscription.ordered', row: 'around', intent: 'subscription.order_requested' },
  idempotency: 'recorded',
  callers: ['user'],
  permission: 'billing:write',
  needsSubscription: false,
  takesMoney: true,
  confirmsIdentity: true,
  summary: 'Start paying for a plan',
  body: z.object({ planId: PlanId.describe('Of which plan.') }),
  response: { 200: Order },
  errors: ['plan_not_found', 'already_subscribed', 'subscription_changing', 'payments_unavailable'],
});

export const captureOrder = endpoint({
  method: 'POST',
  path: '/api/subscription/capture-order',
  audit: { act: 'subscription.paid', row: 'around', intent: 'subscription.payment_requested' },
  idempotency: 'recorded',
  callers: ['user'],
  permission: 'billing:write',
  needsSubscription: false,
  summary: 'Ask the provider whether the order is paid, and open access',
  body: OrderCapture,
  response: { 200: Subscription },
  errors: ['plan_not_found', 'payment_not_approved', 'subscription_changing', 'payments_unavailable'],
});

export const approveTestOrder = endpoint({
  method: 'POST',
  path: '/api/subscription/test-approval',
  audit: { act: 'subscription.test_approved', row: 'none', because: 'It is the test provider that changes.' },
  callers: ['user'],
  permission: 'billing:write',
  needsSubscription: false,
  summary: 'Test payments only: play the payer who approves or declines',
  body: TestApproval,
  response: {
    200: z.object({
      orderId: z.string().describe("The provider's id of the subscription."),
      status: z.enum(['approved', 'declined']).describe('How far it has come, or how it is now.'),
    }),
  },
  errors: ['order_not_found', 'test_payments_off'],
});

export const cancelSubscription = endpoint({
  method: 'POST',
  path: '/api/subscription/cancel',
  audit: { act: 'subscription.cancelled', row: 'around', intent: 'subscription.cancel_requested' },
  idempotency: 'recorded',
  callers: ['user'],
  permission: 'billing:write',
  needsSubscription: false,
  confirmsIdentity: true,
  summary: 'Stop renewing; access stays until the paid period ends',
  response: { 200: Subscription },
  errors: ['not_subscribed', 'subscription_changing', 'payments_unavailable'],
});

export const resumeSubscription = endpoint({
  method: 'POST',
  path: '/api/subscription/resume',
  audit: { act: 'subscription.resumed', row: 'around', intent: 'subscription.resume_requested' },
  idempotency: 'recorded',
  callers: ['user'],
  permission: 'billing:write',
  needsSubscription: false,
  takesMoney: true,
  confirmsIdentity: true,
  summary: 'Take a cancellation back while the paid period lasts, where `can_resume` says so',
  response: { 200: Subscription },
  errors: ['not_cancelled', 'cancelled_for_good', 'subscription_changing', 'payments_unavailable'],
});

export const listPayments = endpoint({
  method: 'GET',
  path: '/api/subscription/payments',
  reads: 'page',
  callers: ['user', 'api_key'],
  permission: 'billing:read',
  needsSubscription: false,
  summary: 'What was paid, newest first; readable without an active subscription',
  query: z.object(pageQuery(10)),
  response: { 200: pageOf(Payment) },
});

export const receivePaymentWebhook = endpoint({
  method: 'POST',
  path: '/api/subscription/webhook',
  audit: { act: 'subscription.notified', row: 'none', because: 'The payment events have it.' },
  callers: 'anyone',
  summary: 'For PayPal alone: an event, signed; answered once it is stored',
  isHook: true,
  consumes: 'application/json',
  headers: PayPalHeaders,
  response: { 200: z.object({ received: z.literal(true).describe('The event is stored.') }) },
  errors: ['paypal_payments_off', 'missing_signature', 'malformed_event', 'invalid_signature', 'payments_unavailable'],
});
