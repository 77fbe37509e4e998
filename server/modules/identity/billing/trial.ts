import type { AccountContext, Context, Tx } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import type { SubscriptionsTable } from './tables.ts';

/** The `provider_plan_id` of a trial, which no provider knows. */
export const trialPlanId = 'TRIAL';

/** The same of access that an operator granted: no provider knows it either, so that nothing of it renews or is resumed. */
export const grantPlanId = 'GRANT';

/** Until when the account may try sandboxes without a payment; null where no trial is open. */
export async function findTrialEnd(ctx: Context, accountId: number): Promise<Date | null> {
  const trial = await openTrials(ctx, accountId).select('access_until').executeTakeFirst();
  return trial?.access_until instanceof Date ? trial.access_until : null;
}

const openTrials = ({ db, clock }: Context, accountId: number) =>
  db
    .selectFrom('subscriptions')
    .where('account_id', '=', accountId)
    .where('provider_plan_id', '=', trialPlanId)
    .where('access_until', '>', clock.now());

/** When the account's trial was over; null where there was none, or one is open. */
export async function findTrialOver({ db, clock }: Context, accountId: number): Promise<Date | null> {
  const trial = await db
    .selectFrom('subscriptions')
    .select('access_until')
    .where('account_id', '=', accountId)
    .where('provider_plan_id', '=', trialPlanId)
    .where('access_until', '<=', clock.now())
    .executeTakeFirst();
  return trial?.access_until instanceof Date ? trial.access_until : null;
}

/** Throws 402 while nothing but a trial opens the product. */
export async function refuseOnTrial(ctx: AccountContext): Promise<void> {
  if ((await findTrialEnd(ctx, ctx.account.id)) === null) return;
  const reason = 'The trial is for sandbox numbers. Choose a plan to connect WhatsApp.';
  throw new ProblemError(402, 'subscription_required', reason);
}

/** A subscription that opens the product ends the trial: phones of WhatsApp never outlast it into one. */
export async function endTrial(
  tx: Tx,
  opened: { account_id: number; provider_plan_id: SubscriptionsTable['provider_plan_id'] },
): Promise<void> {
  if (opened.provider_plan_id === trialPlanId) return;
  const now = tx.clock.now();
  await tx.db
    .updateTable('subscriptions')
    .set({ status: 'expired', access_until: now, updated_at: now })
    .where('account_id', '=', opened.account_id)
    .where('provider_plan_id', '=', trialPlanId)
    .where('access_until', '>', now)
    .execute();
}
