import type { Context } from '#server/context.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { emailKey } from '../email-key.ts';

export const linkLifetimeMs = 7 * 86_400_000;

/** Whether addresses are confirmed by mail at all: without an SMTP server nobody would get the link. */
export function confirmsByMail(ctx: Pick<Context, 'config'>): boolean {
  return ctx.config.mail.smtpUrl !== undefined;
}

/** Makes the link that confirms `email` for the person; an earlier one stops. */
export async function createEmailLink(ctx: Context, userId: number, email: string): Promise<string> {
  const token = createToken('email');
  const values = {
    token_hash: hashToken(token),
    email,
    email_key: emailKey(email),
    expires_at: new Date(ctx.clock.now().getTime() + linkLifetimeMs),
  };
  await ctx.db
    .insertInto('email_links')
    .values({ account_id: userId, ...values })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(values))
    .execute();
  return `${ctx.config.publicUrl}/confirm-email?token=${token}`;
}
