import { sql } from 'kysely';
import { hasAccessAt } from '#server/account-access.ts';
import { inTransaction } from '#server/context.ts';
import type { Context } from '#server/context.ts';
import { publishLive } from '#server/modules/identity/live/index.ts';
import { ProblemError } from '#server/platform/errors.ts';
import { beginTurn } from '#server/platform/fair-turns.ts';
import type { DueFlow } from '../find-due-flows.ts';
import { noteRunEnd, runLeaseEnd } from './run-lease.ts';
import { pacedUntil } from './run-pace.ts';
import { takeProfiles } from './take-profiles.ts';

type Claimed = { has_access: boolean; last_error: string | null; failed_runs: number };

/** The process that runs flows: `draining` asks for a stop, `onQueued` says that deliveries wait to be enqueued. */
export type Runner = { draining: AbortSignal; onQueued(): void };

/** A slice is searched anew with each turn, so that one takes more than other turns do. */
const longestTurnMs = 1_000;

/**
 * Runs a flow that is due for one turn. Any number of processes may do so: one of them claims it. Flows of an account
 * without a subscription wait for it.
 */
export async function runDueFlow(ctx: Context, due: DueFlow, { draining, onQueued }: Runner): Promise<void> {
  if (draining.aborted) return;
  const startedAt = performance.now();
  const leaseEnd = runLeaseEnd(ctx.clock.now());
  const lease = { accountId: due.accountId, flowId: due.id, leaseEnd };
  let outcome = { isComplete: true, lastError: null as string | null, failedRuns: 0 };
  let claimed: Claimed | undefined;
  try {
    claimed = await claimFlow(ctx, due, leaseEnd);
    if (!claimed?.has_access) return;
    const account = { id: due.accountId, timezone: due.timezone };
    const run = { flowId: due.id, isByHand: false, mustStop: beginTurn(draining, longestTurnMs) };
    const result = await takeProfiles({ ...ctx, account }, run);
    outcome = { ...outcome, isComplete: result.isComplete };
    if (result.queued > 0) onQueued();
  } catch (err) {
    ctx.logger.error({ err, flowId: due.id }, 'a flow could not be run');
    if (!claimed) return;
    outcome = { isComplete: true, lastError: sentenceFor(err), failedRuns: claimed.failed_runs + 1 };
  }
  try {
    await noteRunEnd(ctx, { ...lease, ...outcome, tookMs: performance.now() - startedAt });
    if (outcome.lastError !== claimed.last_error) {
      await inTransaction(ctx, (tx) => publishLive(tx, due.accountId, { type: 'flows.changed', flow_id: due.id }));
    }
  } catch (err) {
    // The lease ends by itself, and another run goes on.
    ctx.logger.error({ err, flowId: due.id }, 'the end of a run could not be noted');
  }
}

const sentenceFor = (err: unknown) =>
  err instanceof ProblemError && err.code === 'too_costly'
    ? 'The search for profiles takes too long: its conditions have to read too many of them.'
    : 'Something went wrong on our side while searching for profiles.';

/** Undefined when it is no longer due, or another process has it. */
async function claimFlow(ctx: Context, { accountId, id }: DueFlow, leaseEnd: Date): Promise<Claimed | undefined> {
  const now = ctx.clock.now();
  const { rows } = await sql<Claimed>`
    /* prepared: claim-due-flow */
    with due as (
      select account_id, id from flows
       where account_id = ${accountId} and id = ${id} and next_run_at <= ${now}
         for update skip locked
    )
    update flows f
       set next_run_at = ${leaseEnd}, paced_until = ${pacedUntil(now, 0)},
           last_run_at = case when ${hasAccessAt(now, 'a')} then ${now} else f.last_run_at end
      from due, accounts a
     where f.account_id = due.account_id and f.id = due.id and a.id = f.account_id
    returning f.last_error, f.failed_runs, ${hasAccessAt(now, 'a')} as has_access
  `.execute(ctx.db);
  return rows[0];
}
