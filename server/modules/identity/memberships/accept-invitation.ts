import type { Selectable } from 'kysely';
import type { z } from 'zod';
import type { SignedIn } from '#contracts/accounts.ts';
import { NewPerson } from '#contracts/team.ts';
import type { NewPasskey } from '#contracts/passkeys.ts';
import type { PasskeyOptions } from '#contracts/web-authn.ts';
import type { InvitationSeen } from '#contracts/team.ts';
import { recordJoining } from '#server/audit.ts';
import type { Context, Tx } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { nameOf } from '#server/modules/identity/accounts/index.ts';
import { findInCells } from '#server/modules/identity/cells/index.ts';
import {
  beginPasskeyOfJoiner,
  createPerson,
  emailKey,
  EmailTakenError,
  findCallerByToken,
  findUserByEmail,
  getUser,
  isConfirmed,
  mailConfirmation,
  preparePerson,
  presentSignedIn,
  refuseTakenEmail,
  savePasskeyOfJoiner,
  SignUpClosedError,
  unconfirmedSince,
  verifyPasskeyOfJoiner,
  withoutPassword,
  workIn,
} from '#server/modules/identity/users/index.ts';
import type { Origin, PreparedPerson } from '#server/modules/identity/users/index.ts';
import {
  ForbiddenError,
  InvalidInputError,
  NotFoundError,
  ProblemError,
  UnauthenticatedError,
} from '#server/platform/errors.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { addMember, announceTeam, endMembership, lockTeam } from './members.ts';
import type { MembershipTables } from './tables.ts';

type InvitationRow = Selectable<MembershipTables['invitations']>;

/** Throws 404 for a link that was used, withdrawn or never made, 410 `invitation_expired`. */
export async function seeInvitation(ctx: Context, { token }: { token: string }): Promise<InvitationSeen> {
  const invitation = await findInvitation(ctx, token);
  const { account_id: accountId, invited_by: inviterId, email, role, expires_at } = invitation;
  const account = await ctx.db
    .selectFrom('accounts')
    .select(['name', 'account_name', 'requires_two_factor_since'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow();
  return {
    account: { name: nameOf(account) },
    inviter: { name: (await getUser(ctx, inviterId)).name },
    role,
    projects: await namesOfProjects(ctx, invitation),
    email,
    has_user: (await findUserByEmail(ctx, email)) !== undefined,
    requires_two_factor: account.requires_two_factor_since !== null,
    expires_at: expires_at.toISOString(),
  };
}

/** Without those that were deleted since. */
async function namesOfProjects(
  ctx: Context,
  { account_id: accountId, project_ids: ids }: InvitationRow,
): Promise<string[] | null> {
  if (ids === null) return null;
  const projects = await ctx.db
    .selectFrom('projects')
    .select('name')
    .where('account_id', '=', accountId)
    .where('id', 'in', ids)
    .orderBy('name')
    .execute();
  return projects.map(({ name }) => name);
}

async function findInvitation(ctx: Context, token: string): Promise<InvitationRow> {
  if (tokenKind(token) !== 'invitation') throw new NotFoundError('Invitation');
  const keyHash = hashToken(token);
  const row = await findInCells(ctx, { keyHash }, () =>
    ctx.db.selectFrom('invitations').selectAll().where('token_hash', '=', keyHash).executeTakeFirst(),
  );
  if (!row) throw new NotFoundError('Invitation');
  if (row.expires_at <= ctx.clock.now()) {
    throw new ProblemError(410, 'invitation_expired', 'This invitation has ended. Ask for a new one');
  }
  return row;
}

/**
 * The question for the browser of somebody new, before they join with a passkey. Throws 409 `email_taken`, 403
 * `sign_up_closed`, and as `seeInvitation`.
 */
export async function beginJoiningWithPasskey(
  ctx: Context,
  { token, name }: { token: string; name: string },
): Promise<PasskeyOptions> {
  const { email } = await findInvitation(ctx, token);
  if (ctx.config.signUp === 'closed') throw new SignUpClosedError();
  if (await findUserByEmail(ctx, email)) throw new EmailTakenError();
  return beginPasskeyOfJoiner(ctx, { link: token, email, name });
}

type Accept = {
  token: string;
  /** Of a session in `authorization`. */
  session: string | undefined;
  person: { [K in keyof NewPerson]?: NewPerson[K] | undefined };
  passkey: NewPasskey['response'] | undefined;
  origin: Origin;
  acceptLanguage: string | undefined;
};

/**
 * Joins with the session of the invited address, or makes the person. The session works in the account from then on.
 * Throws 401 for a session that has ended, 403 `other_address`, 409 `already_member`, `email_taken`, and as `seeInvitation`.
 */
export async function acceptInvitation(ctx: Context, input: Accept): Promise<Joined> {
  const { email } = await findInvitation(ctx, input.token);
  if (input.session !== undefined) return acceptAs(ctx, input, input.session);
  if (ctx.config.signUp === 'closed') throw new SignUpClosedError();
  return input.passkey === undefined ? acceptAsNew(ctx, input, email) : acceptWithPasskey(ctx, input, email);
}

type Joined = SignedIn & { recovery_codes?: string[] };

/** Somebody new who has no password. */
async function acceptWithPasskey(ctx: Context, input: Accept, email: string): Promise<Joined> {
  const { token: link, passkey: response = {}, origin, acceptLanguage } = input;
  const person = readPerson(NewPerson.omit({ password: true }), input.person);
  const credential = await verifyPasskeyOfJoiner(ctx, { link, response });
  const prepared = {
    ...withoutPassword({ ...person, email, origin, acceptLanguage }),
    unconfirmedSince: unconfirmedSince(ctx),
  };
  const joined = await refuseTakenEmail(
    inTransaction(ctx, async (tx) => {
      const { token, account } = await joinAsNew(tx, link, prepared);
      const recoveryCodes = await savePasskeyOfJoiner(tx, { userId: account.id, link, credential, origin });
      const user = await presentSignedIn(tx, { person: account, isConfirmed: true });
      return { token, user, recovery_codes: recoveryCodes };
    }),
  );
  if (prepared.unconfirmedSince) mailConfirmation(ctx, joined.user);
  return joined;
}

function readPerson<T extends z.ZodType>(schema: T, given: unknown): z.output<T> {
  const person = schema.safeParse(given);
  if (person.success) return person.data;
  throw new InvalidInputError(person.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })));
}

async function acceptAs(ctx: Context, { token }: Accept, session: string): Promise<SignedIn> {
  const caller = await findCallerByToken(ctx, session);
  if (caller?.actor.kind !== 'user') throw new UnauthenticatedError();
  const { actor } = caller;
  const { userId } = actor;
  return inTransaction(ctx, async (tx) => {
    const invitation = await takeInvitation(tx, token);
    const user = await getUser(tx, userId);
    if (user.email_key !== invitation.email_key) throw new OtherAddressError(invitation.email);
    await join(tx, invitation, userId);
    await workIn(tx, { tokenHash: actor.session.tokenHash, accountId: invitation.account_id });
    const shown = { person: user, isConfirmed: isConfirmed(tx, actor), accountId: invitation.account_id };
    return { token: session, user: await presentSignedIn(tx, shown) };
  });
}

async function acceptAsNew(ctx: Context, input: Accept, email: string): Promise<SignedIn> {
  const { origin, acceptLanguage } = input;
  const person = readPerson(NewPerson, input.person);
  const prepared = await preparePerson(ctx, { ...person, email, origin, acceptLanguage });
  const signedIn = await refuseTakenEmail(
    inTransaction(ctx, async (tx) => {
      const { token, account } = await joinAsNew(tx, input.token, prepared);
      return { token, user: await presentSignedIn(tx, { person: account, isConfirmed: true }) };
    }),
  );
  if (prepared.unconfirmedSince) mailConfirmation(ctx, signedIn.user);
  return signedIn;
}

/** Makes the person whom the link invites. Throws 403 `other_address`, `sign_up_closed`, and as `seeInvitation`. */
export async function joinAsNew(
  tx: Tx,
  link: string,
  person: PreparedPerson,
): Promise<Awaited<ReturnType<typeof createPerson>>> {
  if (tx.config.signUp === 'closed') throw new SignUpClosedError();
  const invitation = await takeInvitation(tx, link);
  if (invitation.email_key !== emailKey(person.email)) throw new OtherAddressError(invitation.email);
  const created = await createPerson(tx, { ...person, email: invitation.email });
  // A person who joins another's account has none of their own.
  await endMembership(tx, created.account.id, created.account.id);
  await join(tx, invitation, created.account.id);
  return created;
}

class OtherAddressError extends ForbiddenError {
  constructor(invited: string) {
    super('other_address', `This invitation is for ${invited}. Sign in with that address`);
  }
}

/** Uses the link up, once: the account is locked first, as wherever its members change. */
async function takeInvitation(tx: Tx, token: string): Promise<InvitationRow> {
  const { account_id: accountId } = await findInvitation(tx, token);
  await lockTeam(tx, accountId);
  const row = await tx.db
    .deleteFrom('invitations')
    .where('account_id', '=', accountId)
    .where('token_hash', '=', hashToken(token))
    .returningAll()
    .executeTakeFirst();
  if (!row) throw new NotFoundError('Invitation');
  return row;
}

async function join(tx: Tx, { account_id: accountId, role, project_ids: projectIds }: InvitationRow, userId: number) {
  await addMember(tx, { accountId, userId, role, projectIds });
  await recordJoining(tx, { accountId, userId });
  await announceTeam(tx, accountId);
}
