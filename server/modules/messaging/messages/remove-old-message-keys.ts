import type { Context } from '#server/context.ts';
import { inTransaction } from '#server/context.ts';
import { longStatementMs, setStatementTimeout } from '#server/platform/db/timeouts.ts';

/** Longer than the 24 hours that are promised. */
const idempotencyKeyMs = 48 * 60 * 60_000;

/** Networks hand a message over again within days at the most. */
const incomingSeenMs = 30 * 24 * 60 * 60_000;

/** Forgets Idempotency-Keys and network ids that nobody will repeat any more. */
export async function removeOldMessageKeys(ctx: Context): Promise<void> {
  const now = ctx.clock.now().getTime();
  await inTransaction(ctx, async ({ db }) => {
    await setStatementTimeout(db, longStatementMs);
    // account-wide: time alone decides, whosever they are.
    await db
      .deleteFrom('idempotency_keys')
      .where('created_at', '<', new Date(now - idempotencyKeyMs))
      .execute();
    await db
      .deleteFrom('incoming_messages_seen')
      .where('seen_at', '<', new Date(now - incomingSeenMs))
      .execute();
  });
}
