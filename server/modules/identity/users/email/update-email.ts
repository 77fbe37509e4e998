import type { AddressChange, User } from '#contracts/accounts.ts';
import { changePerson } from '#server/modules/identity/accounts/index.ts';
import { recordingAct } from '#server/audit.ts';
import type { Tx, UserContext } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { runInBackground, sendSecurityMail } from '../in-background.ts';
import { emailKey } from '../email-key.ts';
import { EmailTakenError, refuseTakenEmail } from '../email-taken-error.ts';
import type { Origin } from '../origin.ts';
import { provePassword } from '../passwords/prove-password.ts';
import { presentActor } from '../present.ts';
import { findUserByEmail, getUser, lockUser, removePasswordReset } from '../queries.ts';
import type { UserRow } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { requireSession } from '../sessions/sessions.ts';
import { confirmsByMail, createEmailLink, linkLifetimeMs } from './email-links.ts';
import { addressChangeMail, addressChangedMail } from './email-mails.ts';
import { requireLinkLeft } from './resend-confirmation.ts';

type UpdateEmail = AddressChange & { origin: Origin };

/**
 * With an SMTP server the change takes effect once the link in a mail to the new address is followed; without one, at
 * once. The old address is notified either way.
 */
export async function updateEmail(ctx: UserContext, input: UpdateEmail): Promise<User> {
  const user = await getUser(ctx, ctx.actor.userId);
  await requirePassword(ctx, user, input);
  const isSameMailbox = emailKey(input.email) === user.email_key;
  if (isSameMailbox || !confirmsByMail(ctx)) return changeNow(ctx, user, input);
  if (await findUserByEmail(ctx, input.email)) throw new EmailTakenError();
  await requireLinkLeft(ctx);
  const link = await recordingAct(ctx, async (tx) => {
    await lockSignedIn(tx);
    const event = { userId: user.id, type: 'email_change_requested', detail: input.email } as const;
    await recordSecurityEvent(tx, { ...event, origin: input.origin });
    return createEmailLink(tx, user.id, input.email);
  });
  const mail = { to: input.email, ...addressChangeMail({ name: user.name, link }) };
  runInBackground(ctx, () => sendMail(ctx, { mail, usefulForMs: linkLifetimeMs }));
  await tellOldAddress(ctx, user, { newEmail: input.email, isPending: true });
  return presentActor(ctx);
}

/** The page asks for it; a program that sends the specification's body may leave it out. */
async function requirePassword(ctx: UserContext, user: UserRow, input: UpdateEmail): Promise<void> {
  const { currentPassword: password, origin } = input;
  if (password === undefined) return;
  const { email, password_hash: passwordHash, id: userId } = user;
  if (await provePassword(ctx, { email, origin, password, passwordHash, userId })) return;
  throw new InvalidInputError([{ path: 'currentPassword', message: 'The current password is wrong' }]);
}

async function changeNow(ctx: UserContext, before: UserRow, { email, origin }: UpdateEmail): Promise<User> {
  const user = await refuseTakenEmail(recordingAct(ctx, (tx) => save(tx, email, origin)));
  if (user.email_key !== before.email_key) await tellOldAddress(ctx, before, { newEmail: email, isPending: false });
  return presentActor(ctx);
}

/** A password set anew ends all sessions and links, and neither a link nor an address slips in after that. */
async function lockSignedIn(tx: Tx<UserContext>): Promise<void> {
  await lockUser(tx, tx.actor.userId);
  await requireSession(tx);
}

async function save(tx: Tx<UserContext>, email: string, origin: Origin): Promise<UserRow> {
  await lockSignedIn(tx);
  const user = await changePerson(tx, tx.actor.userId, { email, email_key: emailKey(email) });
  await noteInDirectory(tx, [{ emailKey: user.email_key }]);
  // A link in the old mailbox must not open the account any more.
  await removePasswordReset(tx, user.id);
  await recordSecurityEvent(tx, { userId: user.id, type: 'email_changed', origin, detail: email });
  return user;
}

async function tellOldAddress(
  ctx: UserContext,
  old: UserRow,
  change: { newEmail: string; isPending: boolean },
): Promise<void> {
  const { name, email, email_unconfirmed_since } = old;
  const link = `${ctx.config.publicUrl}/forgot-password`;
  const isConfirmed = email_unconfirmed_since === null;
  await sendSecurityMail(ctx, { email, isConfirmed }, addressChangedMail({ name, link, ...change }));
}
