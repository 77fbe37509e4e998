import type { CurrentUser } from '#contracts/accounts.ts';
import { permissionsOf } from '#contracts/roles.ts';
import { isPermitted } from '#server/actor.ts';
import type { AccountContext } from '#server/context.ts';
import { getAccount, isSuspendedForDeletion, nameOf } from '#server/modules/identity/accounts/index.ts';
import { findProjectLimit, getSubscription } from '#server/modules/identity/billing/index.ts';
import type { Origin } from './origin.ts';
import { presentActorOf } from './present.ts';
import { recordKeyShown } from './security-events/record-key-shown.ts';

export async function getCurrentUser(ctx: AccountContext, { origin }: { origin: Origin }): Promise<CurrentUser> {
  const { actor } = ctx;
  if (!('role' in actor)) throw new Error(`A ${actor.kind} is no user`);
  // Each page load waits for this answer: no part of it waits for another.
  const [{ user, account }, subscription, projectLimit] = await Promise.all([
    showUser(ctx, origin),
    getSubscription(ctx, ctx.account.id),
    findProjectLimit(ctx, ctx.account.id),
  ]);
  const { suspended_at: since, suspension_reason: reason } = account;
  return {
    user,
    subscription,
    suspension: since && !isSuspendedForDeletion(account) ? { reason: reason ?? '', since: since.toISOString() } : null,
    deletes_at: account.deletes_at?.toISOString() ?? null,
    account: {
      id: account.id,
      name: nameOf(account),
      requires_two_factor: account.requires_two_factor_since !== null,
      project_limit: projectLimit,
    },
    second_factor_missing: actor.kind === 'user' && actor.session.lacksFactor,
    role: actor.role,
    permissions: permissionsOf(actor).filter((permission) => isPermitted(actor, permission)),
    project_ids: actor.projectIds && [...actor.projectIds],
  };
}

async function showUser(ctx: AccountContext, origin: Origin) {
  const account = await getAccount(ctx);
  const user = await presentActorOf(ctx, account);
  if (user.api_key !== null) await recordKeyShown(ctx, origin);
  return { user, account };
}
