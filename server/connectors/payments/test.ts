import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#server/platform/clock.ts';
import type { Database, TestOrdersTable } from '#server/platform/db/schema.ts';
import { monthsLater } from './months-later.ts';
import type { PaymentProvider, ProviderSubscription } from './port.ts';

type TestOrder = Selectable<TestOrdersTable>;

/**
 * Payments that take no money, for trying out: orders live in a table of their own and walk through the states of a
 * real provider. A month passes with the clock; nobody has to renew anything.
 */
export function createTestPayments({ db, clock }: { db: Kysely<Database>; clock: Clock }): PaymentProvider {
  const findOrder = (orderId: string) =>
    db.selectFrom('test_orders').selectAll().where('order_id', '=', orderId).executeTakeFirst();

  async function changeOrder(orderId: string, change: Partial<TestOrder>, only: (order: TestOrder) => boolean) {
    const order = await findOrder(orderId);
    if (!order || !only(order)) return;
    await db.updateTable('test_orders').set(change).where('order_id', '=', orderId).execute();
  }

  return {
    name: 'test',
    providerPlanId: () => null,
    async createOrder({ accountId, planId, requestId }) {
      const orderId = `TEST-${randomBytes(10).toString('hex').toUpperCase()}`;
      await sql`
        insert into test_orders (order_id, request_id, account_id, plan_id, duration_months, created_at)
        select ${orderId}, ${requestId}, ${accountId}, id, duration_months, ${clock.now()} from plans where id = ${planId}
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
  const known = { orderId: order.order_id, accountId: order.account_id, planId: order.plan_id, paymentFailedAt: null };
  const unpaid = { ...known, startedAt: null, nextPaymentAt: null, paidUntil: null };
  if (order.declined_at) return { ...unpaid, state: 'cancelled', stateSince: order.declined_at };
  if (!order.approved_at) return { ...unpaid, state: 'approval_pending', stateSince: order.created_at };

  const startedAt = order.approved_at;
  const paidUntil = endOfPeriod(startedAt, order.duration_months, order.cancelled_at ?? now);
  if (order.cancelled_at) {
    return { ...known, state: 'cancelled', stateSince: order.cancelled_at, startedAt, nextPaymentAt: null, paidUntil };
  }
  return { ...known, state: 'active', stateSince: startedAt, startedAt, nextPaymentAt: paidUntil, paidUntil };
}

/** The end of the period that `at` falls into; periods count from the start, so that the 31st comes back. */
function endOfPeriod(startedAt: Date, durationMonths: number, at: Date): Date {
  for (let periods = 1; ; periods += 1) {
    const end = monthsLater(startedAt, periods * durationMonths);
    if (end > at) return end;
  }
}
