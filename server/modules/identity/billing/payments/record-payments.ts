import { sql } from 'kysely';
import type { ProviderPayment } from '#server/connectors/payments/port.ts';
import { PaymentsUnavailableError } from '#server/connectors/payments/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import type { SubscriptionRow } from '../queries.ts';

const dayMs = 86_400_000;

/** Writes down the payments of a subscription as the provider lists them now. */
export async function recordPayments(ctx: Context, subscription: SubscriptionRow): Promise<void> {
  const { account_id: accountId, id, order_id: orderId, version } = subscription;
  const began = Math.min(subscription.created_at.getTime(), subscription.started_at?.getTime() ?? Infinity);
  const { last_paid_at: lastPaidAt, payment_failed_at: lastFailedAt } = subscription;
  const lastTried = Math.max(lastPaidAt?.getTime() ?? 0, lastFailedAt?.getTime() ?? 0);
  const payments = await ctx.payments.listPayments(orderId, {
    from: new Date(began - dayMs),
    // The provider's clock may be ahead of ours.
    to: new Date(Math.max(ctx.clock.now().getTime(), lastTried + 1000)),
  });
  await inTransaction(ctx, async (tx) => {
    const changed = await storePayments(tx, subscription, payments);
    // Of what has changed meanwhile the list may not know yet.
    await tx.db
      .updateTable('subscriptions')
      .set({ payments_stale: false })
      .where('account_id', '=', accountId)
      .where('id', '=', id)
      .where('version', '=', version)
      .execute();
    if (changed) await publishLive(tx, accountId, { type: 'subscription.changed' });
  });
}

/** Whether anything is other than it was. Payments that the payer's bank took back stay so, whatever the list says. */
async function storePayments(
  tx: Tx,
  { account_id, provider, order_id }: SubscriptionRow,
  payments: readonly ProviderPayment[],
): Promise<boolean> {
  if (payments.length === 0) return false;
  const rows = payments.map(({ id, amountCents, currency, status, paidAt }) => ({
    account_id,
    provider,
    provider_payment_id: id,
    order_id,
    amount_cents: amountCents,
    currency,
    status,
    paid_at: paidAt,
  }));
  const result = await tx.db
    .insertInto('payments')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'provider_payment_id'])
        .doUpdateSet(({ ref }) => ({ status: ref('excluded.status') }))
        .where('payments.account_id', '=', account_id)
        .where('payments.status', '<>', 'reversed')
        .where(sql<boolean>`payments.status <> excluded.status`),
    )
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The payer's bank took a payment back. The provider's list does not tell that from a refund. */
export async function recordReversal(ctx: Context, payment: { accountId: number; paymentId: string }): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const result = await tx.db
      .updateTable('payments')
      .set({ status: 'reversed' })
      .where('account_id', '=', payment.accountId)
      .where('provider', '=', tx.payments.name)
      .where('provider_payment_id', '=', payment.paymentId)
      .where('status', '<>', 'reversed')
      .executeTakeFirst();
    if (result.numUpdatedRows > 0n) await publishLive(tx, payment.accountId, { type: 'subscription.changed' });
  });
}

/** So many in a row without an answer, and it is the provider that is away, not one history that it chokes on. */
const outageAfter = 5;

/** Brings every history up to date that may not be; an outage leaves the rest for the next time. */
export async function recordStalePayments(ctx: Context, isStopped: () => boolean = () => false): Promise<void> {
  let afterId = 0;
  let unanswered = 0;
  while (!isStopped() && unanswered < outageAfter) {
    const subscription = await findStale(ctx, afterId);
    if (!subscription) return;
    afterId = subscription.id;
    try {
      await recordPayments(ctx, subscription);
      unanswered = 0;
    } catch (error) {
      unanswered = error instanceof PaymentsUnavailableError ? unanswered + 1 : 0;
      ctx.logger.error({ err: error, orderId: subscription.order_id }, 'payments could not be written down');
    }
  }
}

function findStale(ctx: Context, afterId: number): Promise<SubscriptionRow | undefined> {
  return ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('payments_stale', '=', true)
    .where('provider', '=', ctx.payments.name)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}
