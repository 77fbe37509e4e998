import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#server/platform/clock.ts';
import type { Database } from '#server/database.ts';
import { endOfPeriod, monthsLater } from './months-later.ts';
import type { PaymentProvider, ProviderPayment, ProviderSubscription } from './port.ts';
import type { TestOrdersTable } from './tables.ts';

/** With what its account is known by, and what its plan costs. */
type TestOrder = Selectable<TestOrdersTable> & { payment_reference: string; price_cents: number };

const testPlanId = (planId: number) => `TEST-PLAN-${planId}`;

/**
 * Payments that take no money, for trying out: orders live in a table of their own and walk through the states of a
 * real provider. A month passes with the clock; nobody has to renew anything.
 */
export function createTestPayments({ db, clock }: { db: Kysely<Database>; clock: Clock }): PaymentProvider {
  const findOrder = (orderId: string): Promise<TestOrder | undefined> =>
    db
      .selectFrom('test_orders')
      .innerJoin('accounts', 'accounts.id', 'test_orders.account_id')
      .innerJoin('plans', 'plans.id', 'test_orders.plan_id')
      .selectAll('test_orders')
      .select(['accounts.payment_reference', 'plans.price_cents'])
      .where('order_id', '=', orderId)
      .executeTakeFirst();

  async function changeOrder(
    orderId: string,
    change: Pick<Partial<TestOrder>, 'cancelled_at'>,
    only: (order: TestOrder) => boolean,
  ) {
    const order = await findOrder(orderId);
    if (!order || !only(order)) return;
    await db.updateTable('test_orders').set(change).where('order_id', '=', orderId).execute();
  }

  return {
    name: 'test',
    providerPlanId: testPlanId,
    manageUrl: null,
    async createOrder({ account, planId, requestId }) {
      const orderId = `TEST-${randomBytes(10).toString('hex').toUpperCase()}`;
      await sql`
        insert into test_orders (order_id, request_id, account_id, plan_id, duration_months, created_at)
        select ${orderId}, ${requestId}, ${account.id}, id, duration_months, ${clock.now()} from plans where id = ${planId}
        on conflict (request_id) do nothing
      `.execute(db);
      const order = await db
        .selectFrom('test_orders')
        .select('order_id')
        .where('request_id', '=', requestId)
        .executeTakeFirstOrThrow();
      return { orderId: order.order_id };
    },
    async findSubscription(orderId) {
      const order = await findOrder(orderId);
      return order && testSubscriptionAt(order, clock.now());
    },
    async listPayments(orderId, { from, to }) {
      const order = await findOrder(orderId);
      if (!order) return [];
      return testPaymentsOf(order, clock.now()).filter(({ paidAt }) => paidAt >= from && paidAt <= to);
    },
    async cancel(orderId) {
      const now = clock.now();
      await changeOrder(orderId, { cancelled_at: now }, (order) => testSubscriptionAt(order, now).state === 'active');
    },
    async resume(orderId) {
      await changeOrder(orderId, { cancelled_at: null }, (order) => isPaidAt(order, clock.now()));
    },
    async decideOrder({ orderId, accountId, approve }) {
      await db
        .updateTable('test_orders')
        .set(approve ? { approved_at: clock.now() } : { declined_at: clock.now() })
        .where('order_id', '=', orderId)
        .where('account_id', '=', accountId)
        .where('approved_at', 'is', null)
        .where('declined_at', 'is', null)
        .execute();
      const order = await findOrder(orderId);
      if (order?.account_id !== accountId) return undefined;
      return order.approved_at ? 'approved' : 'declined';
    },
  };
}

function isPaidAt(order: TestOrder, now: Date): boolean {
  const { paidUntil } = testSubscriptionAt(order, now);
  return paidUntil !== null && paidUntil > now;
}

/** An approved order is paid at once, and again whenever a period ends, until it is cancelled. */
export function testSubscriptionAt(order: TestOrder, now: Date): ProviderSubscription {
  const known = {
    orderId: order.order_id,
    accountReference: order.payment_reference,
    providerPlanId: testPlanId(order.plan_id),
    paymentFailedAt: null,
  };
  const unpaid = { ...known, startedAt: null, nextPaymentAt: null, paidUntil: null, lastPaidAt: null };
  if (order.declined_at) return { ...unpaid, state: 'cancelled', stateSince: order.declined_at };
  if (!order.approved_at) return { ...unpaid, state: 'approval_pending', stateSince: order.created_at };

  const startedAt = order.approved_at;
  const paidUntil = endOfPeriod(startedAt, order.duration_months, order.cancelled_at ?? now);
  const lastPaidAt = testPaymentsOf(order, now).at(-1)?.paidAt ?? startedAt;
  const paid = { ...known, startedAt, paidUntil, lastPaidAt };
  if (order.cancelled_at) return { ...paid, state: 'cancelled', stateSince: order.cancelled_at, nextPaymentAt: null };
  return { ...paid, state: 'active', stateSince: startedAt, nextPaymentAt: paidUntil };
}

/** The payments of an order: at the start of each period that began before the cancellation. */
export function testPaymentsOf(order: TestOrder, now: Date): ProviderPayment[] {
  const { approved_at: startedAt, declined_at, cancelled_at: cancelledAt } = order;
  if (!startedAt || declined_at) return [];
  const payments: ProviderPayment[] = [];
  for (let period = 0; ; period += 1) {
    const paidAt = monthsLater(startedAt, period * order.duration_months);
    if (paidAt > now || (cancelledAt && paidAt > cancelledAt)) return payments;
    const id = `${order.order_id}-${period + 1}`;
    payments.push({ id, amountCents: order.price_cents, currency: 'USD', status: 'completed', paidAt });
  }
}
