import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/live/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { findOrder } from './queries.ts';
import type { SubscriptionRow } from './queries.ts';
import { decideSubscription, isSameOrder } from './subscription-state.ts';
import type { SubscriptionState } from './subscription-state.ts';

const maxRounds = 5;

/** Asks the provider about a subscription and writes down what follows; asks anew when another process wrote first. */
export async function refreshSubscription(ctx: Context, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  let known: SubscriptionRow | undefined = subscription;
  for (let round = 0; known && round < maxRounds; round += 1) {
    const truth = await ctx.payments.findSubscription(known.order_id);
    const ours = truth && isSameOrder(truth, known) ? truth : undefined;
    const saved = await saveSubscription(ctx, known, decideSubscription(ours, known, ctx.clock.now()));
    if (saved) return saved;
    known = await findOrder(ctx, known.account_id, known.order_id);
  }
  throw new ConflictError('subscription_changing', 'The subscription is being changed elsewhere. Try again.');
}

/** The subscription and the account's access change together; undefined when `known` is out of date. */
export function saveSubscription(
  ctx: Context,
  known: SubscriptionRow,
  state: SubscriptionState,
): Promise<SubscriptionRow | undefined> {
  return inTransaction(ctx, async (tx) => {
    // Locked: the account's access is the latest of all its subscriptions, of which two may change at a time.
    await sql`select from accounts where id = ${known.account_id} for no key update`.execute(tx.db);
    const saved = await tx.db
      .updateTable('subscriptions')
      .set({ ...state, version: known.version + 1, updated_at: tx.clock.now() })
      .where('account_id', '=', known.account_id)
      .where('id', '=', known.id)
      .where('version', '=', known.version)
      .returningAll()
      .executeTakeFirst();
    if (!saved) return undefined;
    await sql`
      update accounts set access_until = latest.access_until
      from (select max(access_until) as access_until from subscriptions where account_id = ${known.account_id}) as latest
      where id = ${known.account_id} and accounts.access_until is distinct from latest.access_until
    `.execute(tx.db);
    if (isVisiblyDifferent(known, saved)) {
      await publishLive(tx, known.account_id, { type: 'subscription.changed' });
    }
    return saved;
  });
}

function isVisiblyDifferent(before: SubscriptionRow, after: SubscriptionRow): boolean {
  const seen = ({ status, access_until, next_payment_at }: SubscriptionRow) =>
    [status, access_until?.valueOf(), next_payment_at?.valueOf()].join();
  return seen(before) !== seen(after);
}
