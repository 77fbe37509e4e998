import { PaymentsUnavailableError } from '#server/connectors/payments/port.ts';
import type { Context } from '#server/context.ts';
import { cancelNeedless, findAccountsPayingNeedlessly } from './cancel-needless.ts';
import { refundDuplicates } from './payments/refund-duplicates.ts';
import type { SubscriptionRow } from './queries.ts';
import { getTerms } from './queries.ts';
import { refreshSubscription, saveSubscription } from './refresh-subscription.ts';
import { decideSubscription } from './subscription-state.ts';

const batchSize = 100;
const atOnce = 5;
/** So many in a row without an answer, and it is the provider that is away, not one subscription that it chokes on. */
const outageAfter = 2 * atOnce;

/**
 * Asks the provider about every subscription that is due: each that is alive once an hour, before its access ends and
 * right after, so that a lost notification is made up for.
 */
export async function reconcileSubscriptions(ctx: Context): Promise<void> {
  if (ctx.payments.name !== 'test') await endTestSubscriptions(ctx);
  if (!(await reconcileDue(ctx))) {
    ctx.logger.warn('the payment provider cannot be reached; subscriptions stay as they are');
    return;
  }
  for (const accountId of await findAccountsPayingNeedlessly(ctx)) await cancelNeedless(ctx, accountId);
  await refundDuplicates(ctx);
}

/** False when the provider is away. */
async function reconcileDue(ctx: Context): Promise<boolean> {
  const now = ctx.clock.now();
  let unanswered = 0;
  for (let afterId = 0; ;) {
    const due = await listDue(ctx, now, afterId);
    for (let start = 0; start < due.length; start += atOnce) {
      const asked = due.slice(start, start + atOnce).map((subscription) => reconcile(ctx, subscription));
      for (const wasAnswered of await Promise.all(asked)) unanswered = wasAnswered ? 0 : unanswered + 1;
      if (unanswered >= outageAfter) return false;
    }
    afterId = due.at(-1)?.id ?? afterId;
    if (due.length < batchSize) return true;
  }
}

function listDue(ctx: Context, now: Date, afterId: number): Promise<SubscriptionRow[]> {
  return ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', ctx.payments.name)
    .where('next_check_at', '<=', now)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(batchSize)
    .execute();
}

/** Whether the provider answered. An error with a subscription must not keep the others from being asked about. */
async function reconcile(ctx: Context, subscription: SubscriptionRow): Promise<boolean> {
  try {
    await refreshSubscription(ctx, subscription);
    return true;
  } catch (error) {
    ctx.logger.error({ err: error, orderId: subscription.order_id }, 'could not reconcile a subscription');
    return !(error instanceof PaymentsUnavailableError);
  }
}

/** Access that no money was taken for ends once the server takes real payments. */
async function endTestSubscriptions(ctx: Context): Promise<void> {
  const now = ctx.clock.now();
  const subscriptions = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', 'test')
    .where('next_check_at', 'is not', null)
    .execute();
  for (const subscription of subscriptions) {
    const { duration_months } = await getTerms(ctx, subscription);
    const overNow = { ...subscription, paid_until: subscription.started_at && now, duration_months };
    const over = { ...decideSubscription(undefined, overNow, now), next_check_at: null };
    await saveSubscription(ctx, subscription, over);
  }
}
