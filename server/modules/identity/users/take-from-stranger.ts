import { changePerson } from '#server/modules/identity/accounts/index.ts';
import { layOutMail } from '#server/connectors/mail/lay-out-mail.ts';
import type { Tx } from '#server/context.ts';
import { sendSecurityMail } from './in-background.ts';
import type { Origin } from './origin.ts';
import { endAllKeysOf } from './end-all-keys.ts';
import { noPassword } from './passwords/password-hash.ts';
import { removePasswordReset } from './queries.ts';
import type { UserRow } from './queries.ts';
import { endSessions } from './sessions/sessions.ts';
import { hasSecondFactor } from './two-factor/has-second-factor.ts';
import { resetTwoFactor } from './two-factor/totp.ts';

/**
 * For a person whose address somebody else may have signed up with: it was never confirmed, and an identity provider
 * vouches for who comes now. Password, sessions, factors and keys of before open nothing any more.
 */
export async function takeFromStranger(tx: Tx, { id: userId }: UserRow, origin: Origin): Promise<void> {
  await changePerson(tx, userId, { password_hash: noPassword, email_unconfirmed_since: null });
  await endSessions(tx, userId);
  await removePasswordReset(tx, userId);
  await tx.db.deleteFrom('email_links').where('account_id', '=', userId).execute();
  if (await hasSecondFactor(tx, userId)) await resetTwoFactor(tx, userId);
  await endAllKeysOf(tx, userId, origin);
}

/** In the transaction of the link. */
export async function mailIdentityLinked(tx: Tx, { email, name }: UserRow, label: string): Promise<void> {
  const mail = layOutMail({
    subject: `Dovepost: ${label} signs you in`,
    preview: 'If it was not you, act now.',
    heading: `${label} signs you in`,
    name,
    paragraphs: [`Somebody signed in to Dovepost with ${label}, as you. From now on that opens your account.`],
    action: { label: 'Look after your sign-in', link: `${tx.config.publicUrl}/settings/security` },
    footnote: `If it was not you, secure your login at ${label} and tell the operator of this server.`,
  });
  await sendSecurityMail(tx, { email, isConfirmed: true }, mail);
}

/** In the transaction that unlinks. */
export async function mailIdentityUnlinked(tx: Tx, user: UserRow, label: string): Promise<void> {
  const mail = layOutMail({
    subject: `Dovepost: ${label} was unlinked`,
    preview: 'If it was not you, act now.',
    heading: `${label} was unlinked`,
    name: user.name,
    paragraphs: [`You asked that your identity at ${label} signs you in to Dovepost no more.`],
    action: { label: 'Look after your sign-in', link: `${tx.config.publicUrl}/settings/security` },
    footnote: 'If it was not you, change your password and end the sessions that you do not know.',
  });
  await sendSecurityMail(tx, { email: user.email, isConfirmed: user.email_unconfirmed_since === null }, mail);
}
