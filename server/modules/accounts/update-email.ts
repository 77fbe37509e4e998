import type { EmailChange, User } from '#contracts/accounts.ts';
import type { AccountContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { emailKey } from './email-key.ts';
import { refuseTakenEmail } from './email-taken-error.ts';
import { presentUser } from './present.ts';
import { removePasswordReset } from './queries.ts';

export async function updateEmail(ctx: AccountContext, { email }: EmailChange): Promise<User> {
  return refuseTakenEmail(
    inTransaction(ctx, async (tx) => {
      const account = await tx.db
        .updateTable('accounts')
        .set({ email, email_key: emailKey(email) })
        .where('id', '=', ctx.account.id)
        .returningAll()
        .executeTakeFirstOrThrow();
      // A link in the old mailbox must not open the account any more.
      await removePasswordReset(tx, ctx.account.id);
      return presentUser(account, ctx.secrets);
    }),
  );
}
