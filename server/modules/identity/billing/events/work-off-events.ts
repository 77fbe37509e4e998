import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import { premiumPlan } from '#contracts/billing.ts';
import type { ProviderSubscription } from '#server/connectors/payments/port.ts';
import type { Context } from '#server/context.ts';
import { cancelNeedless } from '../cancel-needless.ts';
import { claimOrder } from '../checkout/claim-order.ts';
import { recordPayments, recordReversal } from '../payments/record-payments.ts';
import { getPlan } from '../queries.ts';
import type { SubscriptionRow } from '../queries.ts';
import { refreshSubscription } from '../refresh-subscription.ts';
import { retryAt } from '#server/platform/backoff.ts';
import type { PaymentEventsTable } from '../tables.ts';

type EventRow = Selectable<PaymentEventsTable>;

/** How long an event waits when the process that took it died; longer than all it asks the provider. */
const leaseMs = 2 * 60_000;
const dayMs = 86_400_000;
/** The hourly reconciliation has long found out what such an event was about. */
const patienceMs = 3 * dayMs;
const keptMs = 30 * dayMs;

/** Works off what is due until nothing is left or `isStopped`. Any number of processes may run it. */
export async function workOffEvents(ctx: Context, isStopped: () => boolean = () => false): Promise<void> {
  while (!isStopped()) {
    const event = await claimEvent(ctx);
    if (!event) return;
    await workOff(ctx, event);
  }
}

async function claimEvent(ctx: Context): Promise<EventRow | undefined> {
  const now = ctx.clock.now();
  const { rows } = await sql<EventRow>`
    update payment_events e
       set next_attempt_at = ${new Date(now.getTime() + leaseMs)}, attempts = e.attempts + 1
      from (select provider, event_id from payment_events
             where provider = ${ctx.payments.name} and next_attempt_at <= ${now}
             order by next_attempt_at limit 1 for update skip locked) as due
     where e.provider = due.provider and e.event_id = due.event_id
    returning e.*
  `.execute(ctx.db);
  return rows[0];
}

async function workOff(ctx: Context, event: EventRow): Promise<void> {
  try {
    await askAbout(ctx, event);
    await settle(ctx, event, null);
  } catch (error) {
    const now = ctx.clock.now();
    const isHopeless = now.getTime() - event.received_at.getTime() > patienceMs;
    ctx.logger.warn({ err: error, eventId: event.event_id, isHopeless }, 'a payment event could not be worked off');
    await settle(ctx, event, isHopeless ? null : retryAt(now, event.attempts));
  }
}

/** The event says only that something has changed: what holds now is the provider's answer. */
async function askAbout(ctx: Context, event: EventRow): Promise<void> {
  const known = await findSubscriptionOf(ctx, event);
  if (!known) return;
  const subscription = await refreshSubscription(ctx, known);
  await recordPayments(ctx, subscription);
  const { account_id: accountId } = subscription;
  if (event.type === 'PAYMENT.SALE.REVERSED' && event.payment_id !== null) {
    await recordReversal(ctx, { accountId, paymentId: event.payment_id });
  }
  await cancelNeedless(ctx, accountId);
}

async function findSubscriptionOf(ctx: Context, event: EventRow): Promise<SubscriptionRow | undefined> {
  const orderId = event.order_id ?? (await findOrderOfPayment(ctx, event.payment_id));
  if (orderId === undefined) return undefined;
  const known = await ctx.db
    .selectFrom('subscriptions')
    .selectAll()
    .where('provider', '=', ctx.payments.name)
    .where('order_id', '=', orderId)
    .executeTakeFirst();
  return known ?? claimForItsAccount(ctx, orderId);
}

async function findOrderOfPayment(ctx: Context, paymentId: string | null): Promise<string | undefined> {
  if (paymentId === null) return undefined;
  const payment = await ctx.db
    .selectFrom('payments')
    .select('order_id')
    .where('provider', '=', ctx.payments.name)
    .where('provider_payment_id', '=', paymentId)
    .executeTakeFirst();
  return payment?.order_id;
}

/** Made with the provider's own buttons, and the page was closed before it could be captured. */
async function claimForItsAccount(ctx: Context, orderId: string): Promise<SubscriptionRow | undefined> {
  const truth = await ctx.payments.findSubscription(orderId);
  if (!truth?.accountReference) return undefined;
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'deleted_at'])
    .where(sql<boolean>`payment_reference::text = ${truth.accountReference}`)
    .executeTakeFirst();
  if (!account) return undefined;
  if (account.deleted_at !== null) {
    await giveBack(ctx, truth, account.deleted_at);
    return undefined;
  }
  return claimOrder(ctx, { accountId: account.id, plan: await getPlan(ctx, premiumPlan.id), orderId });
}

/** Approved in an old tab after its account was deleted: nobody is left to use it, or to cancel it here. */
async function giveBack(ctx: Context, truth: ProviderSubscription, deletedAt: Date): Promise<void> {
  const { orderId, state, lastPaidAt } = truth;
  if (state === 'active' || state === 'suspended') await ctx.payments.cancel(orderId);
  // The provider's clock may be ahead of ours.
  const to = new Date(Math.max(ctx.clock.now().getTime(), (lastPaidAt?.getTime() ?? 0) + 1000));
  const payments = await ctx.payments.listPayments(orderId, { from: deletedAt, to });
  for (const { id, status } of payments) if (status === 'completed') await ctx.payments.refund?.(id);
}

async function settle(ctx: Context, event: EventRow, nextAttemptAt: Date | null): Promise<void> {
  await ctx.db
    .updateTable('payment_events')
    .set({ next_attempt_at: nextAttemptAt })
    .where('provider', '=', event.provider)
    .where('event_id', '=', event.event_id)
    .execute();
}

/** PayPal repeats an event for three days: so long it must be known. */
export async function removeOldEvents(ctx: Context): Promise<void> {
  await ctx.db
    .deleteFrom('payment_events')
    .where('received_at', '<', new Date(ctx.clock.now().getTime() - keptMs))
    .where('next_attempt_at', 'is', null)
    .execute();
}
