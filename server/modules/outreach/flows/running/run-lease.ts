import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { nextRunAt, pacedUntil, retryPauseMs } from './run-pace.ts';

/** A run holds its flow until `leaseEnd`, then another process goes on with it: this one has ended. */
export type RunLease = { accountId: number; flowId: number; leaseEnd: Date };

export type RunEnd = RunLease & {
  tookMs: number;
  isComplete: boolean;
  /** Null: it succeeded. */
  lastError: string | null;
  /** How many have failed in a row, this one included. */
  failedRuns: number;
};

export const runLeaseEnd = (now: Date) => nextRunAt(now, 0, Math.random());

/**
 * Says when the flow is due again: at once when something is left, never when it is inactive. Changes to the flow or
 * its profiles meanwhile have made it due sooner, and that stands; but the cost of the run leads to a pause in any
 * case, or an import would run it without one. So does a failure, the longer the more of them come in a row.
 */
export async function noteRunEnd(ctx: Context, end: RunEnd): Promise<void> {
  const { accountId, flowId, leaseEnd, tookMs, isComplete, lastError, failedRuns } = end;
  const now = ctx.clock.now();
  const retryAt = now.getTime() + retryPauseMs(failedRuns);
  const latest = (at: Date) => new Date(Math.max(at.getTime(), retryAt));
  const paced = latest(pacedUntil(now, tookMs));
  const next = isComplete
    ? sql`case when is_active then ${latest(nextRunAt(now, tookMs, Math.random()))}::timestamptz end`
    : sql`${now}::timestamptz`;
  await sql`
    update flows
       set next_run_at = case when next_run_at = ${leaseEnd} then ${next} else greatest(next_run_at, ${paced}) end,
           paced_until = ${paced}, last_error = ${lastError}, failed_runs = ${failedRuns}
     where account_id = ${accountId} and id = ${flowId} and next_run_at is not null
  `.execute(ctx.db);
}
