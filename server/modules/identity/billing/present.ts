import type { CurrentSubscription, Order, Plan } from '#contracts/billing.ts';
import type { PaymentProvider } from '#server/connectors/payments/port.ts';
import type { PlanRow, SubscriptionRow } from './queries.ts';
import { statusAt } from './status-at.ts';
import { grantPlanId } from './trial.ts';

/** The test payments' own ids mean nothing to a client. */
function paypalPlanId(planId: number, payments: PaymentProvider): string | null {
  return (payments.name === 'paypal' && payments.providerPlanId(planId)) || null;
}

export function presentPlan(row: PlanRow, payments: PaymentProvider): Plan {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    price: row.price_cents / 100,
    currency: 'USD',
    duration: row.duration_months,
    paypal_plan_id: paypalPlanId(row.id, payments),
    features: row.features,
    project_limit: row.project_limit,
  };
}

export function presentCurrentSubscription(
  row: SubscriptionRow,
  payments: PaymentProvider,
  now: Date,
): CurrentSubscription {
  const status = statusAt(row, now);
  const isProviderInUse = row.provider === payments.name;
  return {
    order_id: row.order_id,
    provider: row.provider,
    status,
    started_at: row.started_at?.toISOString() ?? null,
    next_payment_at: row.next_payment_at?.toISOString() ?? null,
    access_ends_at: row.access_until instanceof Date ? row.access_until.toISOString() : null,
    paid_until: paidUntil(row)?.toISOString() ?? null,
    can_resume: status === 'cancelled' && canBeResumed(row, payments),
    manage_url: isProviderInUse ? payments.manageUrl : null,
  };
}

/** Whether the provider in use knows how to take back a cancellation of it. */
export function canBeResumed(row: SubscriptionRow, payments: PaymentProvider): boolean {
  return row.provider === payments.name && payments.resume !== undefined && row.provider_plan_id !== grantPlanId;
}

/** An order that begins to cost when a paid period ends is preceded by that period. */
function paidUntil({ paid_until: paid, starts_at: before }: SubscriptionRow): Date | null {
  if (!paid || !before) return paid ?? before;
  return paid > before ? paid : before;
}

export function presentOrder(row: SubscriptionRow, reference: string, payments: PaymentProvider): Order {
  return {
    planId: row.plan_id,
    paypalPlanId: paypalPlanId(row.plan_id, payments),
    provider: row.provider,
    orderId: row.order_id,
    ...(row.approval_url !== null && { approvalUrl: row.approval_url }),
    ...(payments.name === 'paypal' && { customId: reference }),
    startsAt: row.starts_at?.toISOString() ?? null,
    status: 'approval_pending',
  };
}
