import { sql } from 'kysely';
import type { Context, Tx } from '#server/context.ts';
import type { SubscriptionEvent } from '#server/domain-events.ts';
import { inTransaction } from '#server/context.ts';
import { announceProjectKeys, publishLive } from '#server/modules/identity/live/index.ts';
import { notify } from '#server/platform/db/notify.ts';
import { ConflictError } from '#server/platform/errors.ts';
import { isSameOrder } from './checkout/is-same-order.ts';
import { decideNotices } from './notices/decide-notices.ts';
import { recordNotices } from './notices/record-notices.ts';
import { presentCurrentSubscription } from './present.ts';
import { findOrder, getTerms } from './queries.ts';
import type { SubscriptionRow } from './queries.ts';
import { isOpenAt } from './status-at.ts';
import { decideSubscription } from './subscription-state.ts';
import type { SubscriptionState } from './subscription-state.ts';
import { endTrial } from './trial.ts';
import { billingChannel } from './channels.ts';

/**
 * Another call that wrote first may have asked earlier. After the first round the row is read anew, and a writer of the
 * last round has read it after the one before wrote: the answer that it stored was asked for later than this call began.
 */
const maxRounds = 3;

/** Asks the provider about a subscription and writes down what follows; asks anew when another call wrote first. */
export async function refreshSubscription(ctx: Context, subscription: SubscriptionRow): Promise<SubscriptionRow> {
  let known: SubscriptionRow | undefined = subscription;
  const { payment_reference, duration_months } = await getTerms(ctx, subscription);
  for (let round = 0; known && round < maxRounds; round += 1) {
    const truth = await ctx.payments.findSubscription(known.order_id);
    const ours = truth && isSameOrder(truth, { ...known, payment_reference }) ? truth : undefined;
    const saved = await saveSubscription(
      ctx,
      known,
      decideSubscription(ours, { ...known, duration_months }, ctx.clock.now()),
    );
    if (saved) return saved;
    known = await findOrder(ctx, known.account_id, known.order_id);
  }
  if (known) return known;
  throw new ConflictError('subscription_changing', 'The subscription is being changed elsewhere. Try again.');
}

/** The subscription, the account's access and what follows from both; undefined when `known` is out of date. */
export function saveSubscription(
  ctx: Context,
  known: SubscriptionRow,
  state: SubscriptionState,
): Promise<SubscriptionRow | undefined> {
  return inTransaction(ctx, async (tx) => {
    const before = await lockAccess(tx, known.account_id);
    const saved = await tx.db
      .updateTable('subscriptions')
      .set({
        ...state,
        version: known.version + 1,
        payments_stale: known.payments_stale || isPaidOtherwise(known, state),
        updated_at: tx.clock.now(),
      })
      .where('account_id', '=', known.account_id)
      .where('id', '=', known.id)
      .where('version', '=', known.version)
      .returningAll()
      .executeTakeFirst();
    if (!saved) return undefined;
    await followAccess(tx, { known, saved, before });
    await announceStatus(tx, known, saved);
    if (isVisiblyDifferent(known, saved)) await publishLive(tx, known.account_id, { type: 'subscription.changed' });
    if (saved.payments_stale) await notify(tx.db, [{ channel: billingChannel, payload: 'payments' }]);
    return saved;
  });
}

/** Locked: the account's access is the latest of all its subscriptions, of which two may change at a time. */
export async function lockAccess(tx: Tx, accountId: number): Promise<Date | number | null> {
  const account = await tx.db
    .selectFrom('accounts')
    .select('access_until')
    .where('id', '=', accountId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  return account.access_until;
}

const statusEvents: Readonly<Partial<Record<SubscriptionRow['status'], SubscriptionEvent>>> = {
  active: 'subscription.activated',
  past_due: 'subscription.past_due',
  suspended: 'subscription.suspended',
  cancelled: 'subscription.cancelled',
  expired: 'subscription.expired',
};

/** An order that nobody approved was never a subscription. */
async function announceStatus(tx: Tx, known: SubscriptionRow, saved: SubscriptionRow): Promise<void> {
  const type = statusEvents[saved.status];
  if (!type || saved.status === known.status || saved.started_at === null) return;
  const at = tx.clock.now();
  const data = presentCurrentSubscription(saved, tx.payments, at);
  await tx.onDomainEvents(tx, [{ type, accountId: saved.account_id, at, data }]);
}

type Change = { known: SubscriptionRow; saved: SubscriptionRow; before: Date | number | null };

/** The account's access is the latest of all its subscriptions; what follows from that is announced. */
export async function followAccess(tx: Tx, { known, saved, before }: Change): Promise<void> {
  const now = tx.clock.now();
  const accountId = saved.account_id;
  if (isOpenAt(saved.access_until, now)) await endTrial(tx, saved);
  const { rows } = await sql<{ access_until: Date | number | null }>`
    update accounts set access_until = latest.access_until
    from (select max(access_until) as access_until from subscriptions where account_id = ${accountId}) as latest
    where id = ${accountId}
    returning accounts.access_until
  `.execute(tx.db);
  await announceProjectKeys(tx, accountId);
  const access = { before, after: rows[0]?.access_until ?? null };
  await recordNotices(tx, saved, decideNotices({ before: known, after: saved, access, now }));
  if (!isOpenAt(access.before, now) && isOpenAt(access.after, now)) {
    await tx.onDomainEvents(tx, [{ type: 'access.opened', accountId, at: now }]);
  }
}

/** Whether the provider's list of payments has more, or others, than when it was last written down. */
function isPaidOtherwise(known: SubscriptionRow, state: SubscriptionState): boolean {
  const paid = ({ last_paid_at, payment_failed_at }: SubscriptionState) =>
    [last_paid_at?.getTime(), payment_failed_at?.getTime()].join();
  return paid(state) !== [known.last_paid_at?.getTime(), known.payment_failed_at?.getTime()].join();
}

function isVisiblyDifferent(before: SubscriptionRow, after: SubscriptionRow): boolean {
  const seen = ({ status, access_until, next_payment_at }: SubscriptionRow) =>
    [status, access_until?.valueOf(), next_payment_at?.valueOf()].join();
  return seen(before) !== seen(after);
}
