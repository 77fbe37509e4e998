import { EmailAddress } from '#contracts/accounts.ts';
import type { ProvidedIdentity } from '#server/connectors/identity/port.ts';
import type { Context, Tx } from '#server/context.ts';
import { findInCells, noteInDirectory } from '#server/modules/identity/cells/index.ts';
import {
  emailKey,
  findUserByEmail,
  getUser,
  mailIdentityLinked,
  recordSecurityEvent,
  takeFromStranger,
} from '#server/modules/identity/users/index.ts';
import type { Origin, UserRow } from '#server/modules/identity/users/index.ts';
import { ForbiddenError } from '#server/platform/errors.ts';

class EmailNotVerifiedError extends ForbiddenError {
  constructor(label: string) {
    super('email_not_verified', `${label} does not say that your email address is verified. Verify it there first.`);
  }
}

export class OtherIdentityError extends ForbiddenError {
  constructor(label: string) {
    super('other_identity', `At ${label} you are somebody else than the person who is known here.`);
  }
}

/** Throws 403 `email_not_allowed`, and `email_not_verified` where the operator allows certain domains alone. */
export function requireAllowed({ config }: Pick<Context, 'config'>, identity: ProvidedIdentity): void {
  const { label = '', emailDomains = [] } = config.oidc ?? {};
  if (emailDomains.length === 0) return;
  const domain = requireEmail(label, identity).split('@').at(-1)?.toLowerCase() ?? '';
  if (emailDomains.includes(domain)) return;
  throw new ForbiddenError('email_not_allowed', `Addresses of ${domain} may not sign in with ${label}.`);
}

/** The address, where the provider vouches for it. Throws 403 `email_not_verified`. */
export function requireEmail(label: string, { email, isEmailVerified }: ProvidedIdentity): string {
  const address = EmailAddress.safeParse(email);
  if (!isEmailVerified || !address.success) throw new EmailNotVerifiedError(label);
  return address.data;
}

export async function findLinkedPerson(
  ctx: Context,
  { issuer, subject }: ProvidedIdentity,
): Promise<number | undefined> {
  const linked = await ctx.db
    .selectFrom('oidc_identities')
    .select('account_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
  return linked?.account_id;
}

/**
 * The person who was linked to the identity, else who has its address. Undefined: somebody new. Throws 403
 * `email_not_verified` for an address that would have to be believed, 421 `other_cell` for a person of another cell.
 */
export async function findPerson(
  ctx: Context,
  label: string,
  identity: ProvidedIdentity,
): Promise<{ userId: number; isLinked: boolean } | undefined> {
  const { issuer, subject } = identity;
  const linkedId = await findInCells(ctx, { issuer, subject }, () => findLinkedPerson(ctx, identity));
  if (linkedId !== undefined) return { userId: linkedId, isLinked: true };
  const email = requireEmail(label, identity);
  const user = await findInCells(ctx, { emailKey: emailKey(email) }, () => findUserByEmail(ctx, email));
  return user && { userId: user.id, isLinked: false };
}

export async function saveIdentity(tx: Tx, { issuer, subject }: ProvidedIdentity, userId: number): Promise<void> {
  await tx.db
    .insertInto('oidc_identities')
    .values({ issuer, subject, account_id: userId, linked_at: tx.clock.now() })
    .execute();
  await noteInDirectory(tx, [{ issuer, subject }]);
}

type Link = { label: string; identity: ProvidedIdentity; user: UserRow; origin: Origin };

/**
 * Links the person who has the address; their row is locked. Throws 403 `other_identity` for a person who is linked to
 * another identity of the provider: addresses are given to new people there.
 */
export async function linkPerson(tx: Tx, { label, identity, user, origin }: Link): Promise<UserRow> {
  const other = await tx.db
    .selectFrom('oidc_identities')
    .select('subject')
    .where('account_id', '=', user.id)
    .where('issuer', '=', identity.issuer)
    .executeTakeFirst();
  // Another tab linked them since they were looked for.
  if (other?.subject === identity.subject) return user;
  if (other || user.email_key !== emailKey(requireEmail(label, identity))) throw new OtherIdentityError(label);
  // Nobody has shown yet that the address is theirs.
  if (user.email_unconfirmed_since !== null) await takeFromStranger(tx, user, origin);
  await saveIdentity(tx, identity, user.id);
  await recordSecurityEvent(tx, { userId: user.id, type: 'identity_linked', origin, detail: label });
  await mailIdentityLinked(tx, user, label);
  return getUser(tx, user.id);
}
