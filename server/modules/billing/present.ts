import type { CurrentSubscription, Order, Plan } from '#contracts/billing.ts';
import type { PaymentProvider } from '#server/connectors/payments/port.ts';
import type { PlanRow, SubscriptionRow } from './queries.ts';
import { statusAt } from './subscription-state.ts';

export function presentPlan(row: PlanRow, payments: PaymentProvider): Plan {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: row.price_cents / 100,
    currency: 'USD',
    duration: row.duration_months,
    paypal_plan_id: payments.providerPlanId(row.id),
    features: row.features,
    project_limit: row.project_limit,
  };
}

export function presentCurrentSubscription(row: SubscriptionRow, now: Date): CurrentSubscription {
  return {
    order_id: row.order_id,
    provider: row.provider,
    status: statusAt(row, now),
    started_at: row.started_at?.toISOString() ?? null,
    next_payment_at: row.next_payment_at?.toISOString() ?? null,
    access_ends_at: row.access_until instanceof Date ? row.access_until.toISOString() : null,
  };
}

export function presentOrder(row: SubscriptionRow, payments: PaymentProvider): Order {
  return {
    planId: row.plan_id,
    paypalPlanId: payments.providerPlanId(row.plan_id),
    provider: row.provider,
    orderId: row.order_id,
    ...(row.approval_url !== null && { approvalUrl: row.approval_url }),
    status: 'approval_pending',
  };
}
