import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { changeTwoFactorDemand } from '#server/modules/identity/accounts/index.ts';
import { hasSecondFactor, recordSecurityEvent } from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { ConflictError } from '#server/platform/errors.ts';

type Demand = { required: boolean; origin: Origin };

/** At once, open pages of members without a factor included. Throws 409 `second_factor_missing` for who has none. */
export function demandTwoFactor(ctx: UserContext, { required, origin }: Demand): Promise<{ required: boolean }> {
  return inTransaction(ctx, async (tx) => {
    if (required && !(await hasSecondFactor(tx, tx.actor.userId))) {
      throw new ConflictError('second_factor_missing', 'Set up a second factor of your own first');
    }
    if (await changeTwoFactorDemand(tx, required)) {
      const type = required ? 'two_factor_demanded' : 'two_factor_not_demanded';
      await recordSecurityEvent(tx, { accountId: tx.account.id, type, origin });
    }
    return { required };
  });
}
