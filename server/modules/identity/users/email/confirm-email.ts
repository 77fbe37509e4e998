import { changePerson } from '#server/modules/identity/accounts/index.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { findInCells, noteInDirectory } from '#server/modules/identity/cells/index.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { hashToken, tokenKind } from '#server/platform/secrets.ts';
import { refuseTakenEmail } from '../email-taken-error.ts';
import type { Origin } from '../origin.ts';
import { removePasswordReset } from '../queries.ts';
import { recordSecurityEvent } from '../security-events/record-security-event.ts';

class InvalidEmailLinkError extends ProblemError {
  constructor() {
    super(422, 'invalid_email_link', 'This link has expired or was used already. Ask for a new one in Settings.');
  }
}

/** Uses the link up: the address is confirmed, and becomes the person's where it was not. */
export async function confirmEmail(
  ctx: Context,
  { token, origin }: { token: string; origin: Origin },
): Promise<{ message: string }> {
  if (tokenKind(token) !== 'email') throw new InvalidEmailLinkError();
  const tokenHash = hashToken(token);
  await findInCells(ctx, { keyHash: tokenHash }, () => findLink(ctx, tokenHash));
  const change = inTransaction(ctx, async (tx) => {
    // The person before the link, as everywhere else; what counts is whether the link is still there to be deleted.
    const before = await tx.db
      .selectFrom('users')
      .select(['id', 'email_key'])
      .where('id', 'in', (links) =>
        links.selectFrom('email_links').select('account_id').where('token_hash', '=', tokenHash),
      )
      .forNoKeyUpdate()
      .executeTakeFirst();
    const link = await tx.db
      .deleteFrom('email_links')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', tx.clock.now())
      .returningAll()
      .executeTakeFirst();
    if (!before || !link) throw new InvalidEmailLinkError();
    const { account_id: userId, email, email_key } = link;
    await changePerson(tx, userId, { email, email_key, email_unconfirmed_since: null });
    const isChange = before.email_key !== email_key;
    if (isChange) await noteInDirectory(tx, [{ emailKey: email_key }]);
    // A link in the old mailbox must not open the account any more.
    if (isChange) await removePasswordReset(tx, userId);
    const type = isChange ? 'email_changed' : 'email_confirmed';
    await recordSecurityEvent(tx, { userId, type, origin, detail: email });
  });
  await refuseTakenEmail(change);
  return { message: 'Your email address is confirmed.' };
}

function findLink(ctx: Context, tokenHash: Buffer): Promise<{ account_id: number } | undefined> {
  return ctx.db.selectFrom('email_links').select('account_id').where('token_hash', '=', tokenHash).executeTakeFirst();
}
