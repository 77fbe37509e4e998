import type { Context } from '#server/context.ts';
import type { Mail } from '#server/connectors/mail/port.ts';
import { sendMail } from '#server/modules/identity/mails/index.ts';

/** The news of a change that its owner may not have made. */
const securityNewsMs = 5 * 86_400_000;

const underWay = new Set<Promise<void>>();

/** Work that no answer waits for, such as a mail; what fails is logged. */
export function runInBackground(ctx: Pick<Context, 'logger'>, work: () => Promise<void>): void {
  const running: Promise<void> = work()
    .catch((error: unknown) => ctx.logger.error({ err: error }, 'work behind an answer failed'))
    .finally(() => underWay.delete(running));
  underWay.add(running);
}

/**
 * Sends a mail about an account's safety. To an address that nobody has confirmed goes nothing: it may be a
 * stranger's. Within a transaction the mail commits with the change; otherwise it is sent behind the answer.
 */
export async function sendSecurityMail(
  ctx: Context,
  to: { email: string; isConfirmed: boolean },
  mail: Omit<Mail, 'to'>,
): Promise<void> {
  if (!to.isConfirmed) return;
  const send = () => sendMail(ctx, { mail: { to: to.email, ...mail }, usefulForMs: securityNewsMs });
  if (ctx.db.isTransaction) await send();
  else runInBackground(ctx, send);
}

/** Resolves once no such work is under way; to wait for before the database closes. */
export async function whenBackgroundWorkIsDone(): Promise<void> {
  while (underWay.size > 0) await Promise.all(underWay);
}
