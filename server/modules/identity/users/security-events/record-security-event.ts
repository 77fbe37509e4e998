import { sql } from 'kysely';
import type { AccountEventType, PersonalEventType } from '#contracts/security-events.ts';
import type { Context } from '#server/context.ts';
import type { Origin } from '../origin.ts';

type NewSecurityEvent = { origin: Origin; detail?: string } & (
  | { userId: number; type: PersonalEventType }
  | { accountId: number; type: AccountEventType }
);

const dayMs = 86_400_000;

/** How many events of one type an account has in a day; further ones are counted on the newest, from there if possible. */
export const mostOfADay = 20;

/**
 * A row of the person or the account, and a structured log line, which leaves out the detail: it may be an address. In the transaction
 * of its cause where there is one.
 */
export async function recordSecurityEvent(
  ctx: Pick<Context, 'db' | 'clock' | 'logger'>,
  { type, origin, detail, ...of }: NewSecurityEvent,
): Promise<void> {
  const id = 'userId' in of ? of.userId : of.accountId;
  const userAgent = origin.userAgent?.slice(0, 300);
  const now = ctx.clock.now();
  await sql`
    with recent as (
      select id, ip from security_events
       where account_id = ${id} and type = ${type} and at > ${new Date(now.getTime() - dayMs)}
       order by id desc limit ${mostOfADay}
    ), repeated as (
      update security_events set repeats = repeats + 1, last_at = ${now}
       where account_id = ${id} and (select count(*) from recent) >= ${mostOfADay}
         and id = (select id from recent order by (ip is not distinct from ${origin.ip}) desc, id desc limit 1)
      returning id
    )
    insert into security_events (account_id, type, at, ip, user_agent, detail)
    select ${id}, ${type}, ${now}, ${origin.ip}, ${userAgent ?? null}, ${detail ?? null}
     where not exists (select from repeated)
  `.execute(ctx.db);
  ctx.logger.info({ securityEvent: type, ...of, ip: origin.ip, userAgent }, 'security event');
}
