import type { PayPalHeaders } from '#contracts/billing.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { createConcurrencyLimit } from '#server/platform/concurrency-limit.ts';
import { notify } from '#server/platform/db/notify.ts';
import { BusyError, ProblemError } from '#server/platform/errors.ts';
import { billingChannel } from '../channels.ts';

/** Each event makes the provider be asked: whoever sends many must not use up the connections that payers need. */
const readings = createConcurrencyLimit({
  maxRunning: 20,
  maxWaiting: 200,
  refusal: () => new BusyError('Too many events at once. Deliver this one again later.', 10),
});

/**
 * Refuses what is no event of the provider by its headers alone: whoever sends a body for nothing is not read. Throws 404
 * `paypal_payments_off`, 400 `missing_signature`.
 */
export function requireEventHeaders({ payments }: Context, headers: Readonly<Record<string, unknown>>): void {
  const { requireSignature } = payments;
  if (!requireSignature) throw new ProblemError(404, 'paypal_payments_off', 'PayPal payments are off on this server');
  const texts = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  requireSignature(Object.fromEntries(texts));
}

/**
 * Stores an event that the provider has signed, once, whatever its number of deliveries. The event is processed in the
 * background, so that the answer is quick and nothing is lost when the provider cannot be asked.
 */
export async function receiveEvent(
  ctx: Context,
  { headers, body }: { headers: PayPalHeaders; body: Buffer },
): Promise<{ received: true }> {
  const { readEvent } = ctx.payments;
  if (!readEvent) throw new ProblemError(404, 'paypal_payments_off', 'PayPal payments are off on this server');
  const event = await readings.run(() => readEvent({ headers, body }));
  const now = ctx.clock.now();
  const isOfSubscription = event.orderId !== null || event.paymentId !== null;
  await inTransaction(ctx, async (tx) => {
    await tx.db
      .insertInto('payment_events')
      .values({
        provider: ctx.payments.name,
        event_id: event.id,
        type: event.type,
        order_id: event.orderId,
        payment_id: event.paymentId,
        received_at: now,
        next_attempt_at: isOfSubscription ? now : null,
      })
      .onConflict((conflict) => conflict.columns(['provider', 'event_id']).doNothing())
      .execute();
    await notify(tx.db, [{ channel: billingChannel, payload: 'events' }]);
  });
  return { received: true };
}
