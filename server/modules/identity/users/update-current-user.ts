import { isSupportedCountry } from 'libphonenumber-js/max';
import type { User, UserChange } from '#contracts/accounts.ts';
import { requirePermission } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { changeAccount, changePerson, getAccount } from '#server/modules/identity/accounts/index.ts';
import { ForbiddenError, InvalidInputError } from '#server/platform/errors.ts';
import type { Origin } from './origin.ts';
import { makerOfKey, presentActor } from './present.ts';
import { recordSecurityEvent } from './security-events/record-security-event.ts';

/** Throws 403 `missing_permission` where a member who may not changes what is the account's, `session_required` where the api_key would have messages deleted, 422 for a country there is not. */
export async function updateCurrentUser(ctx: AccountContext, change: UserChange, origin: Origin): Promise<User> {
  const { name, language, ...given } = change;
  const ofAccount = changedOf(given, await getAccount(ctx));
  const { messages_kept_days: days, default_country: country } = ofAccount;
  if (country && !isSupportedCountry(country)) {
    throw new InvalidInputError([{ path: 'default_country', message: 'There is no country with this code' }]);
  }
  if (days !== undefined && ctx.actor.kind !== 'user') {
    throw new ForbiddenError('session_required', 'Sign in to change how long messages are kept');
  }
  if (Object.keys(ofAccount).length > 0) requirePermission(ctx, 'account:write');
  return inTransaction(ctx, async (tx) => {
    const userId = tx.actor.kind === 'user' ? tx.actor.userId : await makerOfKey(tx, await getAccount(tx));
    const ofPerson = { ...(name !== undefined && { name }), ...(language !== undefined && { language }) };
    if (Object.keys(ofPerson).length > 0) await changePerson(tx, userId, ofPerson);
    await changeAccount(tx, ofAccount);
    if (days !== undefined) {
      const detail = days === null ? 'kept for ever' : `${days} days`;
      await recordSecurityEvent(tx, { accountId: tx.account.id, type: 'retention_changed', origin, detail });
    }
    return presentActor(tx);
  });
}

type OfAccount = Omit<UserChange, 'name' | 'language'>;

/** A user that was read may be sent back whole, also by somebody who may not change all of it. */
function changedOf(given: OfAccount, account: Pick<User, keyof OfAccount>): OfAccount {
  const isOther = ([field, value]: [string, unknown]) =>
    value !== undefined && value !== account[field as keyof OfAccount];
  return Object.fromEntries(Object.entries(given).filter(isOther));
}
