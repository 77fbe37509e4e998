import type { PasswordReset } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { clientNetwork } from '#server/platform/http/client-network.ts';
import { createApiKey } from '../api-key.ts';
import { forgetAttempts } from '../attempts.ts';
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
 * Uses the link up, sets the password, ends every session and makes a new api_key: whoever got in has nothing left. The
 * link has shown that the address is the account's.
 */
export async function resetPassword(
  ctx: Context,
  input: PasswordReset & { origin: Origin },
): Promise<{ message: string }> {
  if (tokenKind(input.token) !== 'reset') throw new InvalidResetTokenError();
  const tokenHash = hashToken(input.token);
  // Looked up first: a wrong token must not cost a hash. What counts is whether it is still there to be deleted.
  const resettable = await findResettable(ctx, tokenHash);
  if (resettable === undefined) throw new InvalidResetTokenError();
  const { accountId, email } = resettable;
  refuseGuessablePassword({ password: input.password, email, field: 'password' });
  const { ip } = input.origin;
  const passwordHash = await hashPassword(input.password, { key: clientNetwork(ip), isKnown: true });
  const { columns } = createApiKey(ctx.secrets);
  const account = await inTransaction(ctx, async (tx) => {
    const changed = await tx.db
      .updateTable('accounts')
      .set({ ...columns, password_hash: passwordHash, email_unconfirmed_since: null })
      .where('id', '=', accountId)
      .returning(['email', 'name'])
      .executeTakeFirstOrThrow();
    const used = await tx.db
      .deleteFrom('password_resets')
      .where('account_id', '=', accountId)
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', ctx.clock.now())
      .executeTakeFirstOrThrow();
    if (used.numDeletedRows === 0n) throw new InvalidResetTokenError();
    await endSessions(tx, accountId);
    // Who was locked out for wrong guesses may sign in with the new password at once.
    await forgetAttempts(tx, passwordAttemptKey(changed.email, ip));
    await rememberNetwork(tx, accountId, ip);
    await tx.db.deleteFrom('email_links').where('account_id', '=', accountId).execute();
    await recordSecurityEvent(tx, { accountId, type: 'password_reset', origin: input.origin });
    await recordSecurityEvent(tx, { accountId, type: 'api_key_rotated', origin: input.origin });
    return changed;
  });
  const link = `${ctx.config.publicUrl}/settings`;
  await sendSecurityMail(
    ctx,
    { email: account.email, isConfirmed: true },
    passwordChangedMail({ ...account, link, hasNewKey: true }),
  );
  return { message: 'Your password has been changed. Sign in with the new one.' };
}

function findResettable(ctx: Context, tokenHash: Buffer): Promise<{ accountId: number; email: string } | undefined> {
  return ctx.db
    .selectFrom('password_resets')
    .innerJoin('accounts', 'accounts.id', 'password_resets.account_id')
    .select(['accounts.id as accountId', 'accounts.email'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
}
