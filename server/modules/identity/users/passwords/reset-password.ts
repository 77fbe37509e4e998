import type { PasswordReset } from '#contracts/accounts.ts';
import { changePerson } from '#server/modules/identity/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findInCells } from '#server/modules/identity/cells/index.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { forgetAttempts } from '../attempts.ts';
import { endAllKeysOf } from '../end-all-keys.ts';
import { sendSecurityMail } from '../in-background.ts';
import type { Origin } from '../origin.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { endSessions } from '../sessions/sessions.ts';
import { rememberNetwork } from '../sessions/sign-in-networks.ts';
import { refuseGuessablePassword } from './common-passwords.ts';
import { passwordChangedMail } from './password-changed-mail.ts';
import { hashPassword } from './password-hash.ts';
import { passwordAttemptKey } from './prove-password.ts';

class InvalidResetTokenError extends ProblemError {
  constructor() {
    super(422, 'invalid_reset_token', 'This link has expired or was used already. Ask for a new one.');
  }
}

/**
 * Uses the link up, sets the password, ends every session and every key of an account that the person made: whoever got
 * in has nothing left. The link has shown that the address is the person's.
 */
export async function resetPassword(
  ctx: Context,
  input: PasswordReset & { origin: Origin },
): Promise<{ message: string }> {
  if (tokenKind(input.token) !== 'reset') throw new InvalidResetTokenError();
  const tokenHash = hashToken(input.token);
  // Looked up first: a wrong token must not cost a hash. The deletion of the token decides, below.
  const resettable = await findInCells(ctx, { keyHash: tokenHash }, () => findResettable(ctx, tokenHash));
  if (resettable === undefined) throw new InvalidResetTokenError();
  const { userId, email } = resettable;
  await refuseGuessablePassword({ password: input.password, email, field: 'password' });
  const { ip } = input.origin;
  const passwordHash = await hashPassword(input.password, { key: clientNetwork(ip), isKnown: true });
  const user = await inTransaction(ctx, async (tx) => {
    const changed = await changePerson(tx, userId, { password_hash: passwordHash, email_unconfirmed_since: null });
    const used = await tx.db
      .deleteFrom('password_resets')
      .where('account_id', '=', userId)
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', ctx.clock.now())
      .executeTakeFirstOrThrow();
    if (used.numDeletedRows === 0n) throw new InvalidResetTokenError();
    await endSessions(tx, userId);
    // A person locked out by wrong guesses may sign in with the new password at once.
    await forgetAttempts(tx, passwordAttemptKey(changed.email, ip));
    await rememberNetwork(tx, userId, ip);
    await tx.db.deleteFrom('email_links').where('account_id', '=', userId).execute();
    await recordSecurityEvent(tx, { userId, type: 'password_reset', origin: input.origin });
    await endAllKeysOf(tx, userId, input.origin);
    return changed;
  });
  const link = `${ctx.config.publicUrl}/settings`;
  await sendSecurityMail(
    ctx,
    { email: user.email, isConfirmed: true },
    passwordChangedMail({ ...user, link, hasNewKey: true }),
  );
  return { message: 'Your password has been changed. Sign in with the new one.' };
}

function findResettable(ctx: Context, tokenHash: Buffer): Promise<{ userId: number; email: string } | undefined> {
  return ctx.db
    .selectFrom('password_resets')
    .innerJoin('users', 'users.id', 'password_resets.account_id')
    .select(['users.id as userId', 'users.email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
}
