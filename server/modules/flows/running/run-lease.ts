import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { nextRunAt, pacedUntil } from './run-pace.ts';

/** A run holds its flow until `leaseEnd`, then another process goes on with it: this one has ended. */
export type RunLease = { accountId: number; flowId: number; leaseEnd: Date };

export const runLeaseEnd = (now: Date) => nextRunAt(now, 0, Math.random());

/**
 * Says when the flow is due again: at once when something is left, never when it is inactive. What has changed the
 * flow or its profiles meanwhile has made it due sooner, and that stands.
 */
export async function noteRunEnd(
  ctx: Context,
  { accountId, flowId, leaseEnd, tookMs, isComplete }: RunLease & { tookMs: number; isComplete: boolean },
): Promise<void> {
  const now = ctx.clock.now();
  const next = sql<Date | null>`case when is_active then ${nextRunAt(now, tookMs, Math.random())}::timestamptz end`;
  await ctx.db
    .updateTable('flows')
    .set({ next_run_at: isComplete ? next : now, paced_until: pacedUntil(now, tookMs) })
    .where('account_id', '=', accountId)
    .where('id', '=', flowId)
    .where('next_run_at', '=', leaseEnd)
    .execute();
}
