import type { Context, UserContext } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { TooManyRequestsError } from '#server/platform/errors.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { attemptKey, takeAttempt } from '../attempts.ts';
import { runInBackground } from '../in-background.ts';
import { getUser, lockUser } from '../queries.ts';
import type { UserRow } from '../queries.ts';
import { createEmailLink, linkLifetimeMs } from './email-links.ts';
import { confirmationMail } from './email-mails.ts';

/** Nobody's mailbox is flooded. */
export const linksPerAccount = { max: 5, windowMs: 3_600_000 };

/** Mails another link, where the address is still to be confirmed. */
export async function resendConfirmation(ctx: UserContext): Promise<{ message: string }> {
  const user = await getUser(ctx, ctx.actor.userId);
  if (user.email_unconfirmed_since === null) return { message: 'Your email address is confirmed.' };
  await requireLinkLeft(ctx);
  mailConfirmation(ctx, user);
  return { message: `A link is on its way to ${user.email}.` };
}

/** Throws 429 after five links within an hour. */
export async function requireLinkLeft(ctx: UserContext): Promise<void> {
  const wait = await takeAttempt(ctx, attemptKey('email-link', String(ctx.actor.userId)), linksPerAccount);
  if (wait !== undefined) {
    throw new TooManyRequestsError('too_many_attempts', 'Too many links were asked for. Try again later.', wait);
  }
}

/** After the account was made; no answer waits for it. */
export function mailConfirmation(ctx: Context, user: Pick<UserRow, 'id' | 'name' | 'email'>): void {
  runInBackground(ctx, async () => {
    const link = await inTransaction(ctx, async (tx) => {
      const { email, email_unconfirmed_since: since } = await lockUser(tx, user.id);
      // Changed meanwhile: the link would give the person the earlier address back.
      return email === user.email && since !== null ? createEmailLink(tx, user.id, email) : undefined;
    });
    if (link === undefined) return;
    const mail = { to: user.email, ...confirmationMail({ name: user.name, link }) };
    await sendMail(ctx, { mail, usefulForMs: linkLifetimeMs });
  });
}
