import { randomUUID } from 'node:crypto';
import type { Mail } from '#server/connectors/mail/port.ts';
import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { notify } from '#server/platform/db/notify.ts';
import { mailsChannel } from './channels.ts';
import { deliver, leaseMs, sealContext } from './deliver.ts';
import type { MailRow } from './deliver.ts';

type NewMail = {
  mail: Mail;
  /** After that it is not sent any more. */
  usefulForMs: number;
};

/**
 * Stores the mail, then hands it to the mail server; within a transaction a worker does so once that has committed. A
 * mail that the server does not take stays stored, and a worker tries it again until it is taken or of no use; so it
 * survives an outage of the mail server and the end of this process.
 */
export async function sendMail(ctx: Context, input: NewMail): Promise<void> {
  if (!ctx.db.isTransaction) return deliver(ctx, await storeMail(ctx, input, leaseMs));
  await inTransaction(ctx, async (tx) => {
    await storeMail(tx, input, 0);
    await notify(tx.db, [{ channel: mailsChannel, payload: '' }]);
  });
}

function storeMail(ctx: Context, { mail, usefulForMs }: NewMail, dueInMs: number): Promise<MailRow> {
  const now = ctx.clock.now();
  const id = randomUUID();
  return ctx.db
    .insertInto('mails')
    .values({
      id,
      sealed: ctx.secrets.seal(JSON.stringify(mail), sealContext(id)),
      attempts: 1,
      next_attempt_at: new Date(now.getTime() + dueInMs),
      expires_at: new Date(now.getTime() + usefulForMs),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
