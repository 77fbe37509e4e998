import type { EmailChange } from '#contracts/accounts.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { createToken, hashToken } from '#server/platform/secrets.ts';
import { findOtherCell } from '#server/modules/identity/cells/index.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';
import { attemptKey, takeAttempt } from '../attempts.ts';
import { emailKey } from '../email-key.ts';
import { runInBackground } from '../in-background.ts';
import type { Origin } from '../origin.ts';
import { findUserByEmail, lockUser } from '../queries.ts';
import type { UserRow } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';
import { resetElsewhereMail, resetMail } from './reset-mail.ts';

const hourMs = 3_600_000;
const linkLifetimeMs = hourMs;
/** Whatever addresses the requests come from, nobody's mailbox is flooded. */
const mailsPerAccount = { max: 10, windowMs: hourMs };

/**
 * Answers before it looks anything up, so that neither the answer nor its time reveals whether the address has an
 * account; what is left to do goes on behind it.
 */
export async function forgotPassword(
  ctx: Context,
  { email, origin }: EmailChange & { origin: Origin },
): Promise<{ message: string }> {
  runInBackground(ctx, () => sendResetLink(ctx, email, origin));
  return { message: 'If that address has an account, a link to reset the password is on its way.' };
}

async function sendResetLink(ctx: Context, email: string, origin: Origin): Promise<void> {
  const user = await findUserByEmail(ctx, email);
  const elsewhere = user ? undefined : await findOtherCell(ctx, { emailKey: emailKey(email) });
  if (!user && elsewhere === undefined) return;
  if ((await takeAttempt(ctx, attemptKey('reset', emailKey(email)), mailsPerAccount)) !== undefined) return;
  if (!user) {
    const link = new URL('/forgot-password', elsewhere).href;
    return sendMail(ctx, {
      mail: { to: email, ...resetElsewhereMail({ name: email, link }) },
      usefulForMs: linkLifetimeMs,
    });
  }
  const token = await createReset(ctx, user, origin);
  if (token === undefined) return;
  const link = `${ctx.config.publicUrl}/reset-password?token=${token}`;
  const mail = { to: user.email, ...resetMail({ name: user.name, link }) };
  await sendMail(ctx, { mail, usefulForMs: linkLifetimeMs });
}

/** Undefined where the address was changed meanwhile: a link in the old mailbox must not open the account. */
function createReset(ctx: Context, user: UserRow, origin: Origin): Promise<string | undefined> {
  return inTransaction(ctx, async (tx) => {
    const { email_key: emailKeyNow } = await lockUser(tx, user.id);
    if (emailKeyNow !== user.email_key) return undefined;
    const token = createToken('reset');
    const reset = { token_hash: hashToken(token), expires_at: new Date(tx.clock.now().getTime() + linkLifetimeMs) };
    // A person has one link at a time: a newer one takes the older one's place.
    await tx.db
      .insertInto('password_resets')
      .values({ account_id: user.id, ...reset })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(reset))
      .execute();
    await recordSecurityEvent(tx, { userId: user.id, type: 'password_reset_requested', origin });
    return token;
  });
}
