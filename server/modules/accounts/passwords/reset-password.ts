import type { PasswordReset } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { forgetAttempts } from '../attempts.ts';
import { endSessions } from '../sessions/sessions.ts';
import { hashPassword } from './password-hash.ts';
import { passwordAttemptKey } from './prove-password.ts';

class InvalidResetTokenError extends ProblemError {
  constructor() {
    super(422, 'invalid_reset_token', 'This link has expired or was used already. Ask for a new one.');
  }
}

/** Uses the link up, sets the password and ends every session. */
export async function resetPassword(ctx: Context, input: PasswordReset & { ip: string }): Promise<{ message: string }> {
  if (tokenKind(input.token) !== 'reset') throw new InvalidResetTokenError();
  const tokenHash = hashToken(input.token);
  // Looked up first: a wrong token must not cost a hash. What counts is whether it is still there to be deleted.
  const accountId = await findResettable(ctx, tokenHash);
  if (accountId === undefined) throw new InvalidResetTokenError();
  const passwordHash = await hashPassword(input.password);
  await inTransaction(ctx, async (tx) => {
    const { email } = await tx.db
      .updateTable('accounts')
      .set({ password_hash: passwordHash })
      .where('id', '=', accountId)
      .returning('email')
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
    await forgetAttempts(tx, passwordAttemptKey(email, input.ip));
  });
  return { message: 'Your password has been changed. Sign in with the new one.' };
}

async function findResettable(ctx: Context, tokenHash: Buffer): Promise<number | undefined> {
  const reset = await ctx.db
    .selectFrom('password_resets')
    .select('account_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', ctx.clock.now())
    .executeTakeFirst();
  return reset?.account_id;
}
