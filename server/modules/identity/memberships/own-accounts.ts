import type { CurrentUser } from '#contracts/accounts.ts';
import type { OwnAccount } from '#contracts/team.ts';
import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { nameOf } from '#server/modules/identity/accounts/index.ts';
import { getCurrentUser, hasSecondFactor, workIn } from '#server/modules/identity/users/index.ts';
import type { Origin } from '#server/modules/identity/users/index.ts';
import { NotFoundError } from '#server/platform/errors.ts';

export async function listOwnAccounts(ctx: UserContext): Promise<{ data: OwnAccount[] }> {
  const rows = await ctx.db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.account_name', 'members.role'])
    .where('members.user_id', '=', ctx.actor.userId)
    .orderBy('members.created_at')
    .orderBy('accounts.id')
    .limit(1_000)
    .execute();
  return {
    data: rows.map((row) => ({ id: row.id, name: nameOf(row), role: row.role, current: row.id === ctx.account.id })),
  };
}

/** Throws 404 for an account that the person is no member of. */
export async function switchAccount(
  ctx: UserContext,
  { accountId, origin }: { accountId: number; origin: Origin },
): Promise<CurrentUser> {
  const { userId, session } = ctx.actor;
  const row = await ctx.db
    .selectFrom('members')
    .innerJoin('accounts', 'accounts.id', 'members.account_id')
    .select(['members.role', 'members.project_ids', 'accounts.timezone', 'accounts.requires_two_factor_since'])
    .where('members.user_id', '=', userId)
    .where('members.account_id', '=', accountId)
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Account');
  await inTransaction(ctx, (tx) => workIn(tx, { tokenHash: session.tokenHash, accountId }));
  const lacksFactor = row.requires_two_factor_since !== null && !(await hasSecondFactor(ctx, userId));
  const moved = { accountId, role: row.role, projectIds: row.project_ids, session: { ...session, lacksFactor } };
  const actor = { ...ctx.actor, ...moved };
  return getCurrentUser({ ...ctx, actor, account: { id: accountId, timezone: row.timezone } }, { origin });
}
