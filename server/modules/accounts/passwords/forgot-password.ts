import type { EmailChange } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { attemptKey, takeAttempt } from '../attempts.ts';
import { emailKey } from '../email-key.ts';
import { findAccountByEmail } from '../queries.ts';
import { resetMail } from './reset-mail.ts';

const hourMs = 3_600_000;
const linkLifetimeMs = hourMs;
/** Whatever addresses the requests come from, nobody's mailbox is flooded. */
const mailsPerAccount = { max: 10, windowMs: hourMs };

const underWay = new Set<Promise<void>>();

/**
 * Answers before it looks anything up, so that neither the answer nor its time tells whether the address has an
 * account; what is left to do goes on behind it.
 */
export async function forgotPassword(ctx: Context, { email }: EmailChange): Promise<{ message: string }> {
  const work = sendResetLink(ctx, email)
    .catch((error: unknown) => ctx.logger.error({ err: error }, 'could not send a password reset mail'))
    .finally(() => underWay.delete(work));
  underWay.add(work);
  return { message: 'If that address has an account, a link to reset the password is on its way.' };
}

/** Resolves once no reset mail is under way; to wait for before the database closes. */
export async function whenResetMailsAreSent(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}

async function sendResetLink(ctx: Context, email: string): Promise<void> {
  const account = await findAccountByEmail(ctx, email);
  if (!account) return;
  if ((await takeAttempt(ctx, attemptKey('reset', emailKey(email)), mailsPerAccount)) !== undefined) return;
  const token = createToken('reset');
  const reset = { token_hash: hashToken(token), expires_at: new Date(ctx.clock.now().getTime() + linkLifetimeMs) };
  // An account has one link at a time: a newer one takes the older one's place.
  await ctx.db
    .insertInto('password_resets')
    .values({ account_id: account.id, ...reset })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(reset))
    .execute();
  const link = `${ctx.config.publicUrl}/reset-password?token=${token}`;
  await ctx.mailer.send({ to: account.email, ...resetMail({ name: account.name, link }) });
}
