import type { Registration, SignedIn } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { createApiKey } from './api-key.ts';
import { emailKey } from './email-key.ts';
import { refuseTakenEmail } from './email-taken-error.ts';
import { hashPassword } from './passwords/password-hash.ts';
import { presentUser } from './present.ts';
import { openSession } from './sessions/sessions.ts';

export async function register(ctx: Context, input: Registration): Promise<SignedIn> {
  const passwordHash = await hashPassword(input.password);
  const { columns } = createApiKey(ctx.secrets);
  return refuseTakenEmail(
    inTransaction(ctx, async (tx) => {
      const account = await tx.db
        .insertInto('accounts')
        .values({
          ...columns,
          name: input.name,
          email: input.email,
          email_key: emailKey(input.email),
          password_hash: passwordHash,
          timezone: input.timezone ?? 'UTC',
          created_at: ctx.clock.now(),
        })
        .returningAll()
        .executeTakeFirstOrThrow();
      return { token: await openSession(tx, account.id), user: presentUser(account, ctx.secrets) };
    }),
  );
}
