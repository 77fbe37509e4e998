import { sql } from 'kysely';
import type { Invitation, Member } from '#contracts/team.ts';
import type { Permission } from '#contracts/permissions.ts';
import type { Role } from '#contracts/roles.ts';
import { hasFactor } from '#server/account-access.ts';
import { requirePermission } from '#server/actor.ts';
import type { AccountContext, Tx, UserContext } from '#server/context.ts';
import { lockAccount } from '#server/modules/identity/accounts/index.ts';
import { announceCredentials, publishLive } from '#server/modules/identity/live/index.ts';
import { requireConfirmedIdentity, requireSession } from '#server/modules/identity/users/index.ts';
import { ConflictError, ForbiddenError, InvalidInputError, NotFoundError } from '#server/platform/errors.ts';

/** More have no place in one answer; `invite` refuses them. */
export const mostMembers = 1_000;

type MemberRow = {
  id: number;
  name: string;
  email: string;
  role: Role;
  project_ids: number[] | null;
  two_factor: boolean;
  last_seen_at: Date | null;
};

export async function getTeam(ctx: AccountContext): Promise<{ members: Member[]; invitations: Invitation[] }> {
  const invitations = await ctx.db
    .selectFrom('invitations')
    .select(['id', 'email', 'role', 'project_ids', 'expires_at'])
    .where('account_id', '=', ctx.account.id)
    .orderBy('id')
    .limit(mostMembers)
    .execute();
  return { members: await findMembers(ctx), invitations: invitations.map(presentInvitation) };
}

type InvitationRow = Pick<Invitation, 'id' | 'email' | 'role' | 'project_ids'> & { expires_at: Date };

export function presentInvitation(row: InvitationRow): Invitation {
  const { id, email, role, project_ids } = row;
  return { id, email, role, project_ids, expires_at: row.expires_at.toISOString() };
}

async function findMembers(ctx: AccountContext, userId?: number): Promise<Member[]> {
  const { rows } = await sql<MemberRow>`
    select u.id, u.name, u.email, m.role, m.project_ids,
           ${hasFactor(sql`u.id`)} as two_factor,
           (select max(s.last_used_at) from sessions s where s.account_id = u.id and s.expires_at > ${ctx.clock.now()})
             as last_seen_at
      from members m join users u on u.id = m.user_id
     where m.account_id = ${ctx.account.id} and (${userId ?? null}::bigint is null or m.user_id = ${userId ?? null})
     order by m.created_at, u.id limit ${mostMembers}
  `.execute(ctx.db);
  return rows.map(({ last_seen_at: lastSeen, ...row }) => ({
    ...row,
    last_seen_at: lastSeen?.toISOString() ?? null,
  }));
}

/** Throws 404 for who is no member. */
export async function getMember(ctx: AccountContext, userId: number): Promise<Member> {
  const [member] = await findMembers(ctx, userId);
  if (!member) throw new NotFoundError('Member');
  return member;
}

/** For what concerns owners. Throws 403 `missing_permission`, `confirm_identity`. */
export function requireOwner(ctx: UserContext): void {
  requirePermission(ctx, 'owners:write');
  requireConfirmedIdentity(ctx, ctx.actor);
}

/** Members of an account change one after the other, so that no two owners leave at once. */
export async function lockTeam(tx: Tx, accountId: number): Promise<void> {
  await lockAccount(tx, accountId);
}

/**
 * Locks the team for somebody who changes it, and answers with what they are now: while they waited, they may have been
 * removed or signed out, or got another role. Throws 401, 403 `no_account`, `missing_permission`.
 */
export async function lockTeamAs(tx: Tx<UserContext>, permission: Permission): Promise<Tx<UserContext>> {
  await lockTeam(tx, tx.account.id);
  await requireSession(tx);
  const member = await tx.db
    .selectFrom('members')
    .select(['role', 'project_ids as projectIds'])
    .where('account_id', '=', tx.account.id)
    .where('user_id', '=', tx.actor.userId)
    .executeTakeFirst();
  if (!member) throw new ForbiddenError('no_account', 'You are a member of this account no more');
  const now = { ...tx, actor: { ...tx.actor, ...member } };
  requirePermission(now, permission);
  return now;
}

type Narrowed = { role: Role; projectIds: readonly number[] | null; hadProjectIds?: readonly number[] | null };

/**
 * Whether they could be one: `project_ids` are the account's, and an owner's null. Projects that a member had before
 * may be deleted since, which stops no other change.
 */
export async function requireFitting(
  ctx: AccountContext,
  { role, projectIds, hadProjectIds }: Narrowed,
): Promise<void> {
  if (projectIds === null) return;
  const refuse = (message: string) => new InvalidInputError([{ path: 'project_ids', message }]);
  if (role === 'owner') throw refuse('An owner sees all projects');
  const known = await ctx.db
    .selectFrom('projects')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', projectIds)
    .execute();
  const missing = projectIds.find(
    (projectId) => !hadProjectIds?.includes(projectId) && !known.some(({ id }) => id === projectId),
  );
  if (missing !== undefined) throw refuse(`There is no project ${missing}`);
}

/** Told to the open pages of the account, also those of who is concerned. */
export const announceTeam = (tx: Tx, accountId: number): Promise<void> =>
  publishLive(tx, accountId, { type: 'team.changed' });

export class AlreadyMemberError extends ConflictError {
  constructor() {
    super('already_member', 'They are a member of this account already');
  }
}

type NewMembership = { accountId: number; userId: number; role: Role; projectIds: readonly number[] | null };

/** Throws 409 `already_member`. */
export async function addMember(tx: Tx, { accountId, userId, role, projectIds }: NewMembership): Promise<void> {
  const { rows } = await sql`
    insert into memberships as known (account_id, user_id, role, project_ids, created_at)
    values (${accountId}, ${userId}, ${role}, ${projectIds}::bigint[], ${tx.clock.now()})
    on conflict (account_id, user_id) do update
       set role = excluded.role, project_ids = excluded.project_ids, created_at = excluded.created_at, removed_at = null
     where known.removed_at is not null
    returning 1
  `.execute(tx.db);
  if (rows.length === 0) throw new AlreadyMemberError();
  await announceCredentials(tx);
}

/** Ends the membership, also of a founder whom the backfill has not reached. */
export async function endMembership(tx: Tx, accountId: number, userId: number): Promise<void> {
  await sql`
    insert into memberships as known (account_id, user_id, role, removed_at)
    values (${accountId}, ${userId}, 'owner', ${tx.clock.now()})
    on conflict (account_id, user_id) do update set removed_at = excluded.removed_at
  `.execute(tx.db);
  await announceCredentials(tx);
}

/** Of an account that is deleted: its founder is none any more either, and invitations stop. */
export async function endAllMemberships(tx: Tx, accountId: number): Promise<void> {
  await endMembership(tx, accountId, accountId);
  await sql`
    update memberships set removed_at = ${tx.clock.now()} where account_id = ${accountId} and removed_at is null
  `.execute(tx.db);
  await tx.db.deleteFrom('invitations').where('account_id', '=', accountId).execute();
}

/** Whether the person is a member of an account other than that of their id. */
export async function worksElsewhere({ db }: Pick<AccountContext, 'db'>, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('members')
    .select('account_id')
    .where('user_id', '=', userId)
    .where('account_id', '!=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
