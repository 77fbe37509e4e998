import type { PasswordChange, User } from '#contracts/accounts.ts';
import type { UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { InvalidInputError } from '#server/platform/errors.ts';
import { presentUser } from '../present.ts';
import { getAccount, removePasswordReset } from '../queries.ts';
import { endSessions } from '../sessions/sessions.ts';
import { hashPassword } from './password-hash.ts';
import { provePassword } from './prove-password.ts';

/** Ends every other session; the one that asks goes on. */
export async function updatePassword(ctx: UserContext, input: PasswordChange & { ip: string }): Promise<User> {
  const { email, password_hash: oldHash } = await getAccount(ctx);
  const proof = { email, ip: input.ip, password: input.currentPassword, passwordHash: oldHash };
  if (!(await provePassword(ctx, proof))) throw wrongPassword();
  const newHash = await hashPassword(input.newPassword);
  return inTransaction(ctx, async (tx) => {
    const account = await tx.db
      .updateTable('accounts')
      .set({ password_hash: newHash })
      .where('id', '=', ctx.account.id)
      // Of two changes at once, the second no longer knows the current password.
      .where('password_hash', '=', oldHash)
      .returningAll()
      .executeTakeFirst();
    if (!account) throw wrongPassword();
    await endSessions(tx, account.id, ctx.actor.session.tokenHash);
    await removePasswordReset(tx, account.id);
    return presentUser(account, ctx.secrets);
  });
}

function wrongPassword(): InvalidInputError {
  return new InvalidInputError([{ path: 'currentPassword', message: 'The current password is wrong' }]);
}
