import { createHash } from 'node:crypto';
import type { LinkedIdentity } from '#contracts/oidc.ts';
import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import {
  lockUser,
  mailIdentityUnlinked,
  recordSecurityEvent,
  requireWayIn,
} from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';

export async function listIdentities(ctx: UserContext): Promise<{ data: LinkedIdentity[] }> {
  const rows = await ctx.db
    .selectFrom('oidc_identities')
    .select(['issuer', 'linked_at'])
    .where('account_id', '=', ctx.actor.userId)
    .orderBy('linked_at', 'desc')
    .orderBy('issuer')
    .execute();
  const data = rows.map(({ issuer, linked_at: linkedAt }): LinkedIdentity => {
    const label = labelOf(ctx, issuer);
    return { id: idOf(issuer), issuer, label, signs_in: label !== null, linked_at: linkedAt.toISOString() };
  });
  return { data };
}

/** An address is awkward in a path. */
const idOf = (issuer: string) => createHash('sha256').update(issuer).digest('base64url').slice(0, 22);

const labelOf = ({ identityProvider }: UserContext, issuer: string) =>
  identityProvider?.issuer === issuer ? identityProvider.label : null;

/** Throws 404, 409 `last_way_in`. */
export async function unlinkIdentity(
  ctx: UserContext,
  { identityId, origin }: { identityId: string; origin: Origin },
): Promise<undefined> {
  const { userId } = ctx.actor;
  await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, userId);
    const own = tx.db.selectFrom('oidc_identities').select('issuer').where('account_id', '=', userId);
    const issuer = (await own.execute()).find((row) => idOf(row.issuer) === identityId)?.issuer;
    if (issuer === undefined) throw new NotFoundError('Identity');
    await tx.db.deleteFrom('oidc_identities').where('account_id', '=', userId).where('issuer', '=', issuer).execute();
    const label = labelOf(ctx, issuer);
    if (label !== null) await requireWayIn(tx, userId);
    const name = label ?? issuer;
    await recordSecurityEvent(tx, { userId, type: 'identity_unlinked', origin, detail: name });
    await mailIdentityUnlinked(tx, user, name);
  });
}
