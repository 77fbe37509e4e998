import type { Tx } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import type { Notice } from './decide-notices.ts';
import { billingChannel } from '../channels.ts';

type About = { account_id: number; id: number };

/** Records notices in the transaction that caused them; one that was recorded before is not recorded again. */
export async function recordNotices(tx: Tx, subscription: About, notices: readonly Notice[]): Promise<void> {
  if (notices.length === 0) return;
  const now = tx.clock.now();
  await tx.db
    .insertInto('subscription_notices')
    .values(
      notices.map(({ occasion, occurredAt, accessEndsAt }) => ({
        account_id: subscription.account_id,
        subscription_id: subscription.id,
        occasion,
        occurred_at: occurredAt,
        access_ends_at: accessEndsAt,
        created_at: now,
        next_attempt_at: now,
      })),
    )
    .onConflict((conflict) => conflict.columns(['account_id', 'occasion', 'occurred_at']).doNothing())
    .execute();
  await notify(tx.db, [{ channel: billingChannel, payload: 'notices' }]);
}
