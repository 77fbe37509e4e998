import { PaymentsUnavailableError } from '#server/connectors/payments/port.ts';
import type { Context } from '#server/context.ts';
import type { SubscriptionRow } from './queries.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/**
 * Nobody is to pay twice: the newest subscription that is paid for stays, and what began before it, and bills or could
 * come back to life, is cancelled. A failed cancellation is tried again by the next reconciliation.
 */
export async function cancelSuperseded(ctx: Context, accountId: number): Promise<void> {
  const billing = await listBilling(ctx, accountId);
  const newest = billing.findIndex(({ status }) => status === 'active');
  if (newest === -1) return;
  for (const subscription of billing.slice(newest + 1)) {
    try {
      await ctx.payments.cancel(subscription.order_id);
      await refreshSubscription(ctx, subscription);
    } catch (error) {
      if (!(error instanceof PaymentsUnavailableError)) throw error;
      ctx.logger.warn({ err: error, orderId: subscription.order_id }, 'could not cancel a superseded subscription');
    }
  }
}

/** Approved, and not over: newest first. */
function listBilling(ctx: Context, accountId: number): Promise<SubscriptionRow[]> {
  return ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('provider', '=', ctx.payments.name)
    .where('status', 'in', ['active', 'past_due', 'suspended', 'pending'])
    .where('started_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
}

/** Accounts that have more than one such subscription. */
export async function findAccountsPayingTwice(ctx: Context): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('subscriptions')
    .select('account_id')
    .where('provider', '=', ctx.payments.name)
    .where('status', 'in', ['active', 'past_due', 'suspended', 'pending'])
    .where('started_at', 'is not', null)
    .groupBy('account_id')
    .having(({ fn }) => fn.countAll<number>(), '>', 1)
    .execute();
  return rows.map(({ account_id }) => account_id);
}
