import { PaymentsUnavailableError } from '#server/connectors/payments/port.ts';
import type { Context } from '#server/context.ts';
import type { SubscriptionRow } from './queries.ts';
import { refreshSubscription, saveSubscription } from './refresh-subscription.ts';
import { decideSubscription } from './subscription-state.ts';

/** As far ahead as the next run: what ends before it is asked about now. */
const horizonMs = 3_600_000;
const batchSize = 100;
const atOnce = 5;

/**
 * Asks the provider about every subscription whose next payment or end of access is near or past, and about every
 * order that waits for approval, so that a lost notification is made up for.
 */
export async function reconcileSubscriptions(ctx: Context): Promise<void> {
  if (ctx.payments.name !== 'test') await endTestSubscriptions(ctx);
  let afterId = 0;
  try {
    for (;;) {
      const due = await listDue(ctx, afterId);
      for (let start = 0; start < due.length; start += atOnce) {
        await Promise.all(due.slice(start, start + atOnce).map((subscription) => reconcile(ctx, subscription)));
      }
      afterId = due.at(-1)?.id ?? afterId;
      if (due.length < batchSize) return;
    }
  } catch (error) {
    if (!(error instanceof PaymentsUnavailableError)) throw error;
    ctx.logger.warn({ err: error }, 'the payment provider cannot be reached; subscriptions stay as they are');
  }
}

function listDue(ctx: Context, afterId: number): Promise<SubscriptionRow[]> {
  return ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', ctx.payments.name)
    .where('next_check_at', '<=', new Date(ctx.clock.now().getTime() + horizonMs))
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(batchSize)
    .execute();
}

/** One subscription's fault must not keep the others from being asked about; an outage concerns them all. */
async function reconcile(ctx: Context, subscription: SubscriptionRow): Promise<void> {
  try {
    await refreshSubscription(ctx, subscription);
  } catch (error) {
    if (error instanceof PaymentsUnavailableError) throw error;
    ctx.logger.error({ err: error, orderId: subscription.order_id }, 'could not reconcile a subscription');
  }
}

/** Access that no money was taken for ends once the server takes real payments. */
async function endTestSubscriptions(ctx: Context): Promise<void> {
  const subscriptions = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', 'test')
    .where('next_check_at', 'is not', null)
    .execute();
  for (const subscription of subscriptions) {
    const unpaid = { ...subscription, paid_until: null };
    await saveSubscription(ctx, subscription, decideSubscription(undefined, unpaid, ctx.clock.now()));
  }
}
