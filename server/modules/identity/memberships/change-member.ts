import { sql } from 'kysely';
import type { Member, MemberChange } from '#contracts/team.ts';
import type { Tx, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { announceCredentials } from '#server/modules/identity/live/index.ts';
import { removeAccountKeysOf } from '#server/modules/identity/accounts/index.ts';
import { ConflictError } from '#server/platform/errors.ts';
import {
  announceTeam,
  endMembership,
  getMember,
  lockTeam,
  lockTeamAs,
  requireFitting,
  requireOwner,
} from './members.ts';

class LastOwnerError extends ConflictError {
  constructor() {
    super('last_owner', 'An account keeps one owner. Make somebody else an owner first');
  }
}

/** Throws 404 for who is no member, 403 as `requireOwner` where an owner is concerned, 409 `last_owner`. */
export function updateMember(ctx: UserContext, input: { userId: number; change: MemberChange }): Promise<Member> {
  const { userId, change } = input;
  return inTransaction(ctx, async (asked) => {
    const tx = await lockTeamAs(asked, 'team:write');
    const before = await getMember(tx, userId);
    const role = change.role ?? before.role;
    const projectIds = change.project_ids === undefined ? before.project_ids : change.project_ids;
    if (before.role === 'owner' || role === 'owner') requireOwner(tx);
    await requireFitting(tx, { role, projectIds, hadProjectIds: before.project_ids });
    if (before.role === 'owner' && role !== 'owner') await requireOtherOwner(tx, userId);
    // A form that is saved as it was takes no invitation back.
    if (role === before.role && isSameSet(projectIds, before.project_ids)) return before;
    await sql`
      insert into memberships (account_id, user_id, role, project_ids)
      values (${tx.account.id}, ${userId}, ${role}, ${projectIds}::bigint[])
      on conflict (account_id, user_id) do update set role = excluded.role, project_ids = excluded.project_ids
    `.execute(tx.db);
    await announceCredentials(tx);
    await withdrawInvitationsOf(tx, userId);
    await announceTeam(tx, tx.account.id);
    return getMember(tx, userId);
  });
}

/** Of ids that are each there once. */
const isSameSet = (one: readonly number[] | null, other: readonly number[] | null): boolean =>
  one === null || other === null
    ? one === other
    : one.length === other.length && one.every((each) => other.includes(each));

/** At once: streams end by the notification. Errors as `updateMember`. */
export function removeMember(ctx: UserContext, { userId }: { userId: number }): Promise<undefined> {
  return inTransaction(ctx, async (asked) => {
    const tx = await lockTeamAs(asked, 'team:write');
    const { role } = await getMember(tx, userId);
    if (role === 'owner') requireOwner(tx);
    await remove(tx, userId, role === 'owner');
    return undefined;
  });
}

/** Throws 409 `last_owner`, 403 `confirm_identity` for an owner. */
export function leaveTeam(ctx: UserContext): Promise<undefined> {
  const { userId } = ctx.actor;
  return inTransaction(ctx, async (tx) => {
    await lockTeam(tx, tx.account.id);
    const { role } = await getMember(tx, userId);
    if (role === 'owner') requireOwner(tx);
    await remove(tx, userId, role === 'owner');
    return undefined;
  });
}

async function remove(tx: Tx<UserContext>, userId: number, isOwner: boolean): Promise<void> {
  if (isOwner) await requireOtherOwner(tx, userId);
  await withdrawInvitationsOf(tx, userId);
  await removeAccountKeysOf(tx, userId);
  await endMembership(tx, tx.account.id, userId);
  await announceTeam(tx, tx.account.id);
}

async function requireOtherOwner(tx: Tx<UserContext>, userId: number): Promise<void> {
  const other = await tx.db
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', tx.account.id)
    .where('role', '=', 'owner')
    .where('user_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  if (!other) throw new LastOwnerError();
}

/** An invitation gives what its maker may give: once that changes, it stops. */
async function withdrawInvitationsOf(tx: Tx<UserContext>, userId: number): Promise<void> {
  await tx.db
    .deleteFrom('invitations')
    .where('account_id', '=', tx.account.id)
    .where('invited_by', '=', userId)
    .execute();
}
