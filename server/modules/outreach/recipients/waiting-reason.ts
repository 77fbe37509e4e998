import type { WaitingReason } from '#contracts/waiting-reason.ts';
import { hasAccessAt } from '#server/account-access.ts';
import type { Account, Context } from '#server/context.ts';
import { assertNever } from '#server/platform/errors.ts';
import { assignPhones, findRotationPhones } from '#server/modules/numbers/phones/index.ts';

/** `waitingUntil`: when it goes on at the soonest, where that is known. */
export type Waiting = { waitingFor: WaitingReason | null; waitingUntil: Date | null };

export const notWaiting: Waiting = { waitingFor: null, waitingUntil: null };

/**
 * Why a project cannot send now, whoever it is to; null when it can, or when it is its network that holds its phones back:
 * that is for `findPaceHold` to say. What it says may have changed by the time that a message is handed over: it is for
 * people to read, `queueMessages` decides.
 */
export async function findWaitingReason(
  ctx: Context,
  { account, projectId }: { account: Account; projectId: number },
): Promise<Waiting | null> {
  if (!(await hasAccess(ctx, account.id))) return { waitingFor: 'subscription', waitingUntil: null };
  const phones = await findRotationPhones(ctx, { accountId: account.id, projectIds: [projectId] });
  const now = ctx.clock.now();
  const [assignment] = assignPhones(phones, { count: 1, now, timezone: account.timezone });
  switch (assignment?.kind) {
    case undefined:
    case 'phone':
    case 'no_room':
    case 'phones_limited':
      return null;
    case 'daily_limit':
      return { waitingFor: 'daily_limit', waitingUntil: assignment.until };
    case 'unwanted':
      throw new Error('The rotation was asked with no wishes');
    case 'no_connected_phone':
    case 'phones_inactive':
    case 'sandbox_resting':
      return { waitingFor: assignment.kind, waitingUntil: null };
    default:
      return assertNever(assignment);
  }
}

/** Whether the subscription lets the account send now. */
export async function hasAccess(ctx: Context, accountId: number): Promise<boolean> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', accountId)
    .where(hasAccessAt(ctx.clock.now()))
    .executeTakeFirst();
  return account !== undefined;
}
