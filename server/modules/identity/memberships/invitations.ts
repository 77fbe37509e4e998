import type { Selectable } from 'kysely';
import type { InvitationWithUrl, NewInvitation } from '#contracts/team.ts';
import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Tx, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { getAccount, nameOf } from '#server/modules/identity/accounts/index.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { attemptKey, emailKey, findUserByEmail, getUser, takeAttempt } from '#server/modules/identity/users/index.ts';
import { ConflictError, NotFoundError, TooManyRequestsError } from '#server/platform/errors.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import {
  AlreadyMemberError,
  announceTeam,
  lockTeamAs,
  mostMembers,
  presentInvitation,
  requireFitting,
  requireOwner,
} from './members.ts';
import type { MembershipTables } from './tables.ts';

type InvitationRow = Selectable<MembershipTables['invitations']>;

const lifetimeMs = 7 * 86_400_000;

/** Mails that one account may have sent to strangers. */
const mostMails = { max: 60, windowMs: 3_600_000 };

/** Throws 403 as `requireOwner` where an owner is invited, 409 `already_member`, 429 after sixty mails in an hour. */
export function invite(ctx: UserContext, input: NewInvitation): Promise<InvitationWithUrl> {
  const { email, role, project_ids: projectIds } = input;
  return inTransaction(ctx, async (asked) => {
    const tx = await lockTeamAs(asked, 'team:write');
    if (role === 'owner') requireOwner(tx);
    await requireFitting(tx, { role, projectIds });
    await requireStranger(tx, email);
    await requireRoom(tx);
    const { token, columns } = newLink(tx);
    const values = { ...columns, email, role, project_ids: projectIds };
    const row = await tx.db
      .insertInto('invitations')
      .values({ ...values, account_id: tx.account.id, email_key: emailKey(email) })
      .onConflict((conflict) => conflict.columns(['account_id', 'email_key']).doUpdateSet(values))
      .returningAll()
      .executeTakeFirstOrThrow();
    return mail(tx, row, token);
  });
}

/** Throws 403 as `requireOwner` for an owner's invitation, 404, 429. */
export function resendInvitation(
  ctx: UserContext,
  { invitationId }: { invitationId: number },
): Promise<InvitationWithUrl> {
  return inTransaction(ctx, async (asked) => {
    const tx = await lockTeamAs(asked, 'team:write');
    const { token, columns } = newLink(tx);
    const row = await tx.db
      .updateTable('invitations')
      .set(columns)
      .where('account_id', '=', tx.account.id)
      .where('id', '=', invitationId)
      .returningAll()
      .executeTakeFirst();
    if (!row) throw new NotFoundError('Invitation');
    if (row.role === 'owner') requireOwner(tx);
    return mail(tx, row, token);
  });
}

export async function withdrawInvitation(ctx: UserContext, { invitationId }: { invitationId: number }) {
  return inTransaction(ctx, async (tx) => {
    const { numDeletedRows } = await tx.db
      .deleteFrom('invitations')
      .where('account_id', '=', tx.account.id)
      .where('id', '=', invitationId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new NotFoundError('Invitation');
    await announceTeam(tx, tx.account.id);
    return undefined;
  });
}

function newLink(tx: Tx<UserContext>) {
  const token = createToken('invitation');
  const now = tx.clock.now();
  const expiresAt = new Date(now.getTime() + lifetimeMs);
  const columns = { token_hash: hashToken(token), invited_by: tx.actor.userId, created_at: now, expires_at: expiresAt };
  return { token, columns };
}

async function requireStranger(tx: Tx<UserContext>, email: string): Promise<void> {
  const user = await findUserByEmail(tx, email);
  if (!user) return;
  const member = await tx.db
    .selectFrom('members')
    .select('user_id')
    .where('account_id', '=', tx.account.id)
    .where('user_id', '=', user.id)
    .executeTakeFirst();
  if (member) throw new AlreadyMemberError();
}

async function requireRoom(tx: Tx<UserContext>): Promise<void> {
  const ofAccount = (table: 'members' | 'invitations') =>
    tx.db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('account_id', '=', tx.account.id)
      .executeTakeFirstOrThrow();
  const { count: members } = await ofAccount('members');
  const { count: invitations } = await ofAccount('invitations');
  if (members + invitations >= mostMembers) {
    throw new ConflictError('team_full', `A team has at most ${mostMembers} members and invitations`);
  }
}

async function mail(tx: Tx<UserContext>, row: InvitationRow, token: string): Promise<InvitationWithUrl> {
  const wait = await takeAttempt(tx, attemptKey('invitation-mail', String(tx.account.id)), mostMails);
  if (wait !== undefined) {
    throw new TooManyRequestsError('too_many_attempts', 'Too many invitations were sent. Try again later.', wait);
  }
  const url = `${tx.config.publicUrl}/invitations/${token}`;
  const { name: inviter } = await getUser(tx, tx.actor.userId);
  const account = nameOf(await getAccount(tx));
  const content = layOutMail({
    subject: `${inviter} invites you to ${account} on Dovepost`,
    preview: `Join ${account} as ${row.role}.`,
    heading: `Join ${account}`,
    name: row.email,
    paragraphs: [`${inviter} invites you to work in ${account} on Dovepost, as ${row.role}.`],
    action: { label: 'Look at the invitation', link: url },
    footnote: 'The link works once, for seven days. If you do not know them, ignore this mail.',
  });
  await sendMail(tx, { mail: { to: row.email, ...content }, usefulForMs: lifetimeMs });
  await announceTeam(tx, tx.account.id);
  return { ...presentInvitation(row), url };
}
