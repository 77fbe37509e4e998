import type { SecurityEventType } from '#contracts/security-events.ts';
import type { Context } from '#server/context.ts';
import type { Origin } from '../origin.ts';

type NewSecurityEvent = { accountId: number; type: SecurityEventType; origin: Origin; detail?: string };

/**
 * A row of the account and a structured log line, which leaves out the detail: it may be an address. In the transaction
 * of its cause where there is one.
 */
export async function recordSecurityEvent(
  ctx: Pick<Context, 'db' | 'clock' | 'logger'>,
  { accountId, type, origin, detail }: NewSecurityEvent,
): Promise<void> {
  const userAgent = origin.userAgent?.slice(0, 300);
  await ctx.db
    .insertInto('security_events')
    .values({
      account_id: accountId,
      type,
      at: ctx.clock.now(),
      ip: origin.ip,
      user_agent: userAgent ?? null,
      detail: detail ?? null,
    })
    .execute();
  ctx.logger.info({ securityEvent: type, accountId, ip: origin.ip, userAgent }, 'security event');
}
