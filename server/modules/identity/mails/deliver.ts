import type { Selectable } from 'kysely';
import type { Mail } from '#server/connectors/mail/port.ts';
import type { Context } from '#server/context.ts';
import { retryAt } from '#server/platform/backoff.ts';
import type { MailsTable } from './tables.ts';

export type MailRow = Selectable<MailsTable>;

/** How long a mail waits when the process that took it died while it sent. */
export const leaseMs = 5 * 60_000;

export const sealContext = (id: string) => `mail:${id}`;

/** Hands a claimed mail over and forgets it, or leaves it for later. A mail that no key opens is given up. */
export async function deliver(ctx: Context, { id, sealed, attempts }: MailRow): Promise<void> {
  const mail = open(ctx, id, sealed);
  if (mail !== undefined) {
    try {
      await ctx.mailer.send(mail);
    } catch (error) {
      ctx.logger.error({ err: error, mailId: id, attempts }, 'a mail could not be sent, and is tried again');
      const next = retryAt(ctx.clock.now(), attempts);
      await ctx.db.updateTable('mails').set({ next_attempt_at: next }).where('id', '=', id).execute();
      return;
    }
  }
  await ctx.db.deleteFrom('mails').where('id', '=', id).execute();
}

function open(ctx: Context, id: string, sealed: Buffer): Mail | undefined {
  try {
    return JSON.parse(ctx.secrets.open(sealed, sealContext(id))) as Mail;
  } catch (error) {
    ctx.logger.error({ err: error, mailId: id }, 'a mail cannot be opened any more, and is given up');
    return undefined;
  }
}
