import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';

const dayMs = 86_400_000;
/** Refunds that failed for so long are left to people. */
const patienceMs = 3 * dayMs;

type Duplicate = { account_id: number; id: number; provider_payment_id: string };

/**
 * Nobody is to pay twice for the same time: an order that was approved beside another one, in an old tab say, is
 * cancelled, but its first payment has been taken by then. The payment is refunded.
 */
export async function refundDuplicates(ctx: Context): Promise<void> {
  const { refund } = ctx.payments;
  if (!refund) return;
  for (const { account_id: accountId, id, provider_payment_id: paymentId } of await findDuplicates(ctx)) {
    try {
      await refund(paymentId);
      await inTransaction(ctx, async (tx) => {
        const refunded = tx.db.updateTable('payments').set({ status: 'refunded' });
        await refunded.where('account_id', '=', accountId).where('id', '=', id).execute();
        await publishLive(tx, accountId, { type: 'subscription.changed' });
      });
    } catch (error) {
      ctx.logger.error({ err: error, paymentId }, 'a payment that was taken twice could not be given back');
    }
  }
}

/** Payments of what is cancelled, taken within a day of a payment of the same account's subscription that goes on. */
async function findDuplicates(ctx: Context): Promise<Duplicate[]> {
  const since = new Date(ctx.clock.now().getTime() - patienceMs);
  const { rows } = await sql<Duplicate>`
    select paid.account_id, paid.id, paid.provider_payment_id
      from payments paid
      join subscriptions over on over.account_id = paid.account_id
       and over.provider = paid.provider and over.order_id = paid.order_id
     where paid.provider = ${ctx.payments.name} and paid.status = 'completed' and paid.paid_at > ${since}
       and over.status in ('cancelled', 'expired')
       and exists (
         select from payments other
           join subscriptions kept on kept.account_id = other.account_id
            and kept.provider = other.provider and kept.order_id = other.order_id
          where other.account_id = paid.account_id and other.provider = paid.provider
            and other.status = 'completed' and other.order_id <> paid.order_id
            and other.paid_at between paid.paid_at - interval '1 day' and paid.paid_at + interval '1 day'
            and kept.status = 'active' and kept.plan_id = over.plan_id
       )
  `.execute(ctx.db);
  return rows;
}
