import type { PasswordChange, User } from '#contracts/accounts.ts';
import { requirePermission } from '#server/actor.ts';
import { recordingAct } from '#server/audit.ts';
import type { UserContext } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { requireAllProjects } from '#server/scope.ts';
import { changePerson, replaceApiKey } from '#server/modules/identity/accounts/index.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { sendSecurityMail } from '../in-background.ts';
import type { Origin } from '../origin.ts';
import { presentActor } from '../present.ts';
import { cancelAddressChange, getUser, lockUser, removePasswordReset } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { endSessions } from '../sessions/sessions.ts';
import { refuseGuessablePassword } from './common-passwords.ts';
import { passwordChangedMail } from './password-changed-mail.ts';
import { hashPassword } from './password-hash.ts';
import { provePassword } from './prove-password.ts';

/**
 * Ends every other session, and a change of the address that waits for its link: whoever else was in may have asked for
 * it. The session that asks goes on. The api_key stays unless asked otherwise.
 */
export async function updatePassword(ctx: UserContext, input: PasswordChange & { origin: Origin }): Promise<User> {
  const { email, name, password_hash: oldHash, email_unconfirmed_since } = await getUser(ctx, ctx.actor.userId);
  const { origin, rotateApiKey } = input;
  const { userId } = ctx.actor;
  if (rotateApiKey) requireAccountKeys(ctx);
  const proof = { email, origin, password: input.currentPassword, passwordHash: oldHash, userId };
  if (!(await provePassword(ctx, proof))) throw wrongPassword();
  await refuseGuessablePassword({ password: input.newPassword, email, field: 'newPassword' });
  const newHash = await hashPassword(input.newPassword, { key: clientNetwork(origin.ip), isKnown: true });
  const user = await recordingAct(ctx, async (tx) => {
    // Of two changes at once, the second no longer knows the current password.
    const { password_hash: currentHash } = await lockUser(tx, userId);
    if (currentHash !== oldHash) throw wrongPassword();
    const changed = await changePerson(tx, userId, { password_hash: newHash });
    await endSessions(tx, userId, ctx.actor.session.tokenHash);
    await removePasswordReset(tx, userId);
    await cancelAddressChange(tx, changed);
    await recordSecurityEvent(tx, { userId, type: 'password_changed', origin });
    if (rotateApiKey) {
      await replaceApiKey(tx);
      await recordSecurityEvent(tx, { accountId: tx.account.id, type: 'api_key_rotated', origin });
    }
    return presentActor(tx);
  });
  const mail = passwordChangedMail({ name, link: `${ctx.config.publicUrl}/forgot-password`, hasNewKey: rotateApiKey });
  await sendSecurityMail(ctx, { email, isConfirmed: email_unconfirmed_since === null }, mail);
  return user;
}

/** As for `regenerateApiKey`: the key is that of the whole account. */
function requireAccountKeys(ctx: UserContext): void {
  requirePermission(ctx, 'keys:write');
  requireAllProjects(ctx, 'keys:write');
}

function wrongPassword(): InvalidInputError {
  return new InvalidInputError([{ path: 'currentPassword', message: 'The current password is wrong' }]);
}
