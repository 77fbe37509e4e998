import { randomUUID } from 'node:crypto';
import type { Mail } from '#server/connectors/mail/port.ts';
import type { Context } from '#server/context.ts';
import { deliver, leaseMs, sealContext } from './deliver.ts';

type NewMail = {
  mail: Mail;
  /** After that it is not sent any more. */
  usefulForMs: number;
};

/**
 * Stores the mail, then hands it to the mail server. A mail that the server does not take stays stored, and a worker
 * tries it again until it is taken or of no use; so it survives an outage of the mail server and the end of this process.
 */
export async function sendMail(ctx: Context, { mail, usefulForMs }: NewMail): Promise<void> {
  const now = ctx.clock.now();
  const id = randomUUID();
  const row = await ctx.db
    .insertInto('mails')
    .values({
      id,
      sealed: ctx.secrets.seal(JSON.stringify(mail), sealContext(id)),
      attempts: 1,
      next_attempt_at: new Date(now.getTime() + leaseMs),
      expires_at: new Date(now.getTime() + usefulForMs),
      created_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await deliver(ctx, row);
}
