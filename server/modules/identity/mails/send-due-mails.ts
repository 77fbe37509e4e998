import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { deliver, leaseMs } from './deliver.ts';
import type { MailRow } from './deliver.ts';

/** Sends what is due, one mail at a time, until nothing is left or `isStopped`. Any number of processes may run it. */
export async function sendDueMails(ctx: Context, isStopped: () => boolean = () => false): Promise<void> {
  const { rowCount } = await removeUseless(ctx);
  if (rowCount > 0) ctx.logger.error({ mails: rowCount }, 'mails were given up, as their links have run out');
  while (!isStopped()) {
    const mail = await claimMail(ctx);
    if (!mail) return;
    await deliver(ctx, mail);
  }
}

async function removeUseless(ctx: Context): Promise<{ rowCount: number }> {
  const result = await ctx.db.deleteFrom('mails').where('expires_at', '<=', ctx.clock.now()).executeTakeFirst();
  return { rowCount: Number(result.numDeletedRows) };
}

async function claimMail(ctx: Context): Promise<MailRow | undefined> {
  const now = ctx.clock.now();
  const { rows } = await sql<MailRow>`
    update mails m set next_attempt_at = ${new Date(now.getTime() + leaseMs)}, attempts = m.attempts + 1
      from (select id from mails where next_attempt_at <= ${now}
             order by next_attempt_at limit 1 for update skip locked) as due
     where m.id = due.id
    returning m.*
  `.execute(ctx.db);
  return rows[0];
}
