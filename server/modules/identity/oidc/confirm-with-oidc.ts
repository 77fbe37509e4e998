import type { Context, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { hasSecondFactor, lockUser, noteConfirmed } from '#server/modules/identity/users/index.ts';
import { InvalidInputError, NotFoundError } from '#server/platform/errors.ts';
import { beginAttempt, finishAttempt, getProvider } from './attempts.ts';
import type { OidcCallback } from './attempts.ts';
import { findLinkedPerson, OtherIdentityError } from './find-person.ts';

/** Throws 404 for a person who is not linked to the provider, 422 where a second factor is to be shown, 503. */
export async function beginConfirmation(ctx: UserContext): Promise<{ url: string; token: string }> {
  const { userId, session } = ctx.actor;
  const { issuer, label } = getProvider(ctx);
  const linked = await ctx.db
    .selectFrom('oidc_identities')
    .select('subject')
    .where('account_id', '=', userId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
  if (!linked) throw new NotFoundError(`A link to ${label}`);
  await refuseWithFactor(ctx, userId);
  return beginAttempt(ctx, { boundTo: session.tokenHash });
}

/** A second factor is not replaced by the provider. Throws 401, 403 `other_identity`, 422, 503. */
export async function confirmWithOidc(ctx: UserContext, input: OidcCallback): Promise<{ confirmed_until: string }> {
  const { userId, session } = ctx.actor;
  const identity = await finishAttempt(ctx, input, { boundTo: session.tokenHash });
  if ((await findLinkedPerson(ctx, identity)) !== userId) throw new OtherIdentityError(getProvider(ctx).label);
  return inTransaction(ctx, async (tx) => {
    await lockUser(tx, userId);
    await refuseWithFactor(tx, userId);
    return noteConfirmed(tx, ctx.actor);
  });
}

async function refuseWithFactor(ctx: Context, userId: number): Promise<void> {
  if (!(await hasSecondFactor(ctx, userId))) return;
  throw new InvalidInputError([{ path: 'code', message: 'Enter a code of your second factor' }]);
}
