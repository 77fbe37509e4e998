import type { User } from '#contracts/accounts.ts';
import { can } from '#contracts/roles.ts';
import { isPermitted } from '#server/actor.ts';
import type { UserActor } from '#server/actor.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { getAccount, openApiKey } from '#server/modules/identity/accounts/index.ts';
import type { AccountRow } from '#server/modules/identity/accounts/index.ts';
import { getUser } from './queries.ts';
import type { UserRow } from './queries.ts';
import { findMembership } from './sessions/find-membership.ts';
import { isConfirmed } from './two-factor/confirm-identity.ts';
import { hasSecondFactor } from './two-factor/has-second-factor.ts';

type Person = Pick<UserRow, 'id' | 'name' | 'language' | 'email' | 'email_unconfirmed_since' | 'created_at'>;

type Shown = { person: Person; account: AccountRow; showsKey: boolean };

/** The person, with what the account they work in has set. */
function presentUser({ secrets }: Pick<Context, 'secrets'>, { person, account, showsKey }: Shown): User {
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    api_key: showsKey ? openApiKey(secrets, account) : null,
    language: person.language,
    timezone: account.timezone,
    default_country: account.default_country,
    email_confirmed: person.email_unconfirmed_since === null,
    messages_kept_days: account.messages_kept_days,
    created_at: person.created_at.toISOString(),
  };
}

/** The acting person, as stored now; for an api_key the person who made it. */
export async function presentActor(ctx: AccountContext): Promise<User> {
  return presentActorOf(ctx, await getAccount(ctx));
}

/** As `presentActor`, of the account that the caller has read. */
export async function presentActorOf(ctx: AccountContext, account: AccountRow): Promise<User> {
  const { actor } = ctx;
  const isUser = actor.kind === 'user';
  const userId = isUser ? actor.userId : await makerOfKey(ctx, account);
  const person = await getUser(ctx, userId);
  // A key of few scopes does not show the one of all.
  const isOtherKey = actor.kind === 'api_key' && actor.keyId !== null;
  const isTheirs = (isUser && actor.role === 'owner') || makerOf(account) === userId;
  const mayKnow = !isOtherKey && isTheirs && isPermitted(actor, 'keys:write');
  return presentUser(ctx, { person, account, showsKey: mayKnow && (!isUser || isTrusted(ctx, actor)) });
}

/**
 * The person whose api_key the account has: the key does what they may do, so that it is shown only to them and to
 * owners.
 */
export const makerOf = ({ id, api_key_user_id: maker }: AccountRow): number => maker ?? id;

/** Of the key that acts: the `api_key`, or another one of the account. */
export async function makerOfKey({ db, actor }: Context, account: AccountRow): Promise<number> {
  if (actor.kind !== 'api_key' || actor.keyId === null) return makerOf(account);
  const key = await db
    .selectFrom('account_keys')
    .select('user_id')
    .where('account_id', '=', account.id)
    .where('id', '=', actor.keyId)
    .executeTakeFirst();
  return key?.user_id ?? makerOf(account);
}

const isTrusted = (ctx: Context, actor: UserActor) => !actor.session.lacksFactor && isConfirmed(ctx, actor);

/** Somebody who has a session since now, with the account that it works in. */
export async function presentSignedIn(
  ctx: Context,
  { person, isConfirmed: isProven, accountId }: { person: Person; isConfirmed: boolean; accountId?: number },
): Promise<User> {
  const membership = await findMembership(ctx, person.id, accountId);
  const account = await getAccount({ ...ctx, account: { id: membership?.accountId ?? person.id, timezone: '' } });
  const isTheirs = membership?.role === 'owner' || makerOf(account) === person.id;
  const mayKnow = membership !== undefined && isTheirs && can(membership, 'keys:write');
  const lacksFactor = account.requires_two_factor_since !== null && !(await hasSecondFactor(ctx, person.id));
  return presentUser(ctx, { person, account, showsKey: mayKnow && isProven && !lacksFactor });
}
