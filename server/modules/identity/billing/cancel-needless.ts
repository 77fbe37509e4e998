import { PaymentsUnavailableError } from '#server/connectors/payments/port.ts';
import type { Context } from '#server/context.ts';
import type { SubscriptionRow } from './queries.ts';
import { refreshSubscription } from './refresh-subscription.ts';

/**
 * Nobody is to pay twice, or for an account that is to be deleted: the newest subscription that is paid for stays, where
 * the account does, and what began before it, and bills or could come back to life, is cancelled. A failed cancellation
 * is tried again by the next reconciliation.
 */
export async function cancelNeedless(ctx: Context, accountId: number): Promise<void> {
  const billing = await listBilling(ctx, accountId);
  const newest = billing.findIndex(({ status }) => status === 'active');
  const needless = (await isLeaving(ctx, accountId)) ? billing : newest === -1 ? [] : billing.slice(newest + 1);
  for (const subscription of needless) {
    try {
      await ctx.payments.cancel(subscription.order_id);
      await refreshSubscription(ctx, subscription);
    } catch (error) {
      if (!(error instanceof PaymentsUnavailableError)) throw error;
      ctx.logger.warn({ err: error, orderId: subscription.order_id }, 'could not cancel a needless subscription');
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

async function isLeaving(ctx: Context, accountId: number): Promise<boolean> {
  const accounts = ctx.db.selectFrom('accounts').select('id').where('id', '=', accountId);
  return (await accounts.where('deletes_at', 'is not', null).executeTakeFirst()) !== undefined;
}

/** Accounts that have more than one such subscription, or one and are to be deleted. */
export async function findAccountsPayingNeedlessly(ctx: Context): Promise<number[]> {
  const rows = await ctx.db
    .selectFrom('subscriptions')
    .innerJoin('accounts', 'accounts.id', 'subscriptions.account_id')
    .select('account_id')
    .where('provider', '=', ctx.payments.name)
    .where('status', 'in', ['active', 'past_due', 'suspended', 'pending'])
    .where('started_at', 'is not', null)
    .groupBy(['account_id', 'accounts.deletes_at'])
    .having(({ eb, fn, or }) => or([eb(fn.countAll<number>(), '>', 1), eb('accounts.deletes_at', 'is not', null)]))
    .execute();
  return rows.map(({ account_id }) => account_id);
}
