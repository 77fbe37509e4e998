import type { WaitingReason } from '#contracts/waiting-reason.ts';
import { accountHoldAt } from '#server/account-access.ts';
import type { AccountHold } from '#server/account-access.ts';
import type { Account, Context } from '#server/context.ts';
import { assertNever } from '#server/platform/errors.ts';
import { assignPhones, findRotationPhones, knownEnd, phonesThatCarry } from '#server/modules/numbers/phones/index.ts';
import type { CarriedContent } from '#server/modules/numbers/phones/index.ts';

/** `waitingUntil`: when it goes on at the soonest, where that is known. */
export type Waiting = { waitingFor: WaitingReason | null; waitingUntil: Date | null };

export const notWaiting: Waiting = { waitingFor: null, waitingUntil: null };

/**
 * Why a project cannot send now, whoever it is to; null when it can, or when it is its network that holds its phones
 * back: that is for `findPaceHold` to say. The reason may have changed by the time that a message is handed over: it is
 * for people to read, `queueMessages` decides.
 */
export async function findWaitingReason(
  ctx: Context,
  { account, projectId }: { account: Account; projectId: number },
  content: CarriedContent = { businessAccountId: undefined },
): Promise<Waiting | null> {
  const hold = await findAccountHold(ctx, account.id);
  if (hold) return { waitingFor: hold, waitingUntil: null };
  const all = await findRotationPhones(ctx, { accountId: account.id, projectIds: [projectId] });
  const phones = await phonesThatCarry(ctx, all, content);
  const now = ctx.clock.now();
  const [assignment] = assignPhones(phones, { count: 1, now, timezone: account.timezone });
  switch (assignment?.kind) {
    case undefined:
    case 'phone':
    case 'no_room':
      return null;
    case 'phones_limited': {
      const isRestricted = phones.some(({ restricted_until: until }) => until !== null && until > now);
      return isRestricted ? { waitingFor: 'phone_restricted', waitingUntil: knownEnd(assignment.until) } : null;
    }
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

/** Why the account may not send now, whatever its phones could; null where it may. */
export async function findAccountHold(ctx: Context, accountId: number): Promise<AccountHold | null> {
  const account = await ctx.db
    .selectFrom('accounts')
    .select(accountHoldAt(ctx.clock.now()).as('hold'))
    .where('id', '=', accountId)
    .executeTakeFirst();
  return account ? account.hold : 'subscription';
}
