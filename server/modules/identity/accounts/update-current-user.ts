import { isSupportedCountry } from 'libphonenumber-js/max';
import type { User, UserChange } from '#contracts/accounts.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { ForbiddenError, InvalidInputError } from '#server/platform/errors.ts';
import type { Origin } from './origin.ts';
import { presentUser } from './present.ts';
import { getAccount } from './queries.ts';
import { recordSecurityEvent } from './security-events/record-security-event.ts';

/** Throws 403 `session_required` where the api_key would have messages deleted, 422 for a country there is not. */
export async function updateCurrentUser(ctx: AccountContext, change: UserChange, origin: Origin): Promise<User> {
  if (Object.keys(change).length === 0) return presentUser(await getAccount(ctx), ctx.secrets);
  const { messages_kept_days: days, default_country: country } = change;
  if (country && !isSupportedCountry(country)) {
    throw new InvalidInputError([{ path: 'default_country', message: 'There is no country with this code' }]);
  }
  if (days !== undefined && ctx.actor.kind !== 'user') {
    throw new ForbiddenError('session_required', 'Sign in to change how long messages are kept');
  }
  return inTransaction(ctx, async (tx) => {
    const account = await tx.db
      .updateTable('accounts')
      .set(change)
      .where('id', '=', ctx.account.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    if (days !== undefined) {
      const detail = days === null ? 'kept for ever' : `${days} days`;
      await recordSecurityEvent(tx, { accountId: ctx.account.id, type: 'retention_changed', origin, detail });
    }
    return presentUser(account, ctx.secrets);
  });
}
