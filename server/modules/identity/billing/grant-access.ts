import { randomUUID } from 'node:crypto';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { followAccess, lockAccess } from './refresh-subscription.ts';
import { grantPlanId, trialPlanId } from './trial.ts';

const firstPlanId = 1;

/**
 * Opens the product until then without a payment, as a subscription of its own that ends by itself and is asked of no
 * provider. A paid subscription goes on beside it: the later end counts.
 */
export async function grantAccess(
  ctx: Context,
  {
    accountId,
    until,
    as = grantPlanId,
  }: { accountId: number; until: Date; as?: typeof grantPlanId | typeof trialPlanId },
): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const before = await lockAccess(tx, accountId);
    const saved = await tx.db
      .insertInto('subscriptions')
      .values({
        account_id: accountId,
        plan_id: firstPlanId,
        provider: 'test',
        provider_plan_id: as,
        order_id: `${as}-${randomUUID()}`,
        approval_url: null,
        status: 'cancelled',
        started_at: now,
        paid_until: as === grantPlanId ? until : null,
        access_until: until,
        created_at: now,
        updated_at: now,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    await followAccess(tx, { known: saved, saved, before });
    await publishLive(tx, accountId, { type: 'subscription.changed' });
  });
}

const dayMs = 86_400_000;

/** For whoever signs up, where the operator lets sandboxes be tried before paying. */
export async function beginTrial(tx: Tx, accountId: number): Promise<void> {
  const { trialDays } = tx.config;
  if (trialDays === 0) return;
  await grantAccess(tx, { accountId, until: new Date(tx.clock.now().getTime() + trialDays * dayMs), as: trialPlanId });
}
