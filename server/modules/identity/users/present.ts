import type { User } from '#contracts/accounts.ts';
import type { AccountContext, Context } from '#server/context.ts';
import { getAccount, openApiKey } from '#server/modules/identity/accounts/index.ts';
import type { AccountRow } from '#server/modules/identity/accounts/index.ts';
import { getUser } from './queries.ts';
import type { UserRow } from './queries.ts';
import { findMembership } from './sessions/find-membership.ts';

type Person = Pick<UserRow, 'id' | 'name' | 'email' | 'email_unconfirmed_since' | 'created_at'>;

/** The person, with what the account they work in has set. */
export function presentUser({ secrets }: Pick<Context, 'secrets'>, person: Person, account: AccountRow): User {
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    api_key: openApiKey(secrets, account),
    timezone: account.timezone,
    default_country: account.default_country,
    email_confirmed: person.email_unconfirmed_since === null,
    messages_kept_days: account.messages_kept_days,
    created_at: person.created_at.toISOString(),
  };
}

/** The acting person, as stored now; for an api_key the person who made it. */
export async function presentActor(ctx: AccountContext): Promise<User> {
  const account = await getAccount(ctx);
  const userId = ctx.actor.kind === 'user' ? ctx.actor.userId : makerOf(account);
  return presentUser(ctx, await getUser(ctx, userId), account);
}

/** The person who made the account's api_key. */
export const makerOf = ({ id, api_key_user_id: maker }: AccountRow): number => maker ?? id;

/** Somebody who has just signed in, with the account that their session works in. */
export async function presentSignedIn(ctx: Context, user: UserRow): Promise<User> {
  const membership = await findMembership(ctx, user.id);
  const account = { id: membership?.accountId ?? user.id, timezone: '' };
  return presentUser(ctx, user, await getAccount({ ...ctx, account }));
}
