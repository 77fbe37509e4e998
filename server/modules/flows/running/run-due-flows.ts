import { sql } from 'kysely';
import { hasAccessAt } from '#server/account-access.ts';
import type { Context } from '#server/context.ts';
import { noteRunEnd, runLeaseEnd } from './run-lease.ts';
import { pacedUntil } from './run-pace.ts';
import { takeProfiles } from './take-profiles.ts';

type DueFlow = { account_id: number; id: number; is_active: boolean; timezone: string; has_access: boolean };

/** Who runs them: asked to stop by `draining`, told when deliveries wait to be handed on. */
export type Runner = { draining: AbortSignal; onQueued(): void };

/** How many flows one process claims together, and how many of them it runs side by side. */
const claimSize = 12;
const runningAtOnce = 3;
/** After this a run gives way to other flows, and goes on when its turn comes round. */
const turnMs = 5_000;
/** A run that was shorter leaves everything as its claim has set it. */
const worthNotingMs = 250;

/**
 * Runs the flows of all accounts that are due. Any number of processes may do so: each flow is claimed by one. Those
 * of an account without a subscription wait for it.
 */
export async function runDueFlows(ctx: Context, runner: Runner): Promise<void> {
  const now = ctx.clock.now();
  const leaseEnd = runLeaseEnd(now);
  const claimed = await claimDueFlows(ctx, { now, leaseEnd });
  const waiting = claimed.filter(({ has_access }) => has_access);
  const takeTurns = async () => {
    for (let due = waiting.shift(); due; due = waiting.shift()) await runDueFlow(ctx, { due, leaseEnd, runner });
  };
  await Promise.all(Array.from({ length: runningAtOnce }, takeTurns));
}

/** Also adds up what has been settled since. */
async function claimDueFlows(ctx: Context, { now, leaseEnd }: { now: Date; leaseEnd: Date }): Promise<DueFlow[]> {
  const { rows } = await sql<DueFlow>`
    /* prepared: claim-due-flows */
    with due as (
      select account_id, id from flows
       where next_run_at <= ${now}
       order by next_run_at
       limit ${claimSize}
         for update skip locked
    ), tallied as (
      delete from flow_tallies t using due where t.account_id = due.account_id and t.flow_id = due.id returning t.*
    ), counted as (
      select flow_id, sum(queued)::int as queued, sum(sent)::int as sent, sum(failed)::int as failed
        from tallied group by flow_id
    )
    update flows f
       set queued_count = f.queued_count + coalesce(c.queued, 0), sent_count = f.sent_count + coalesce(c.sent, 0),
           failed_count = f.failed_count + coalesce(c.failed, 0),
           next_run_at = ${leaseEnd}, paced_until = ${pacedUntil(now, 0)},
           last_run_at = case when ${hasAccessAt(now, 'a')} then ${now} else f.last_run_at end
      from due left join counted c on c.flow_id = due.id, accounts a
     where f.account_id = due.account_id and f.id = due.id and a.id = f.account_id
    returning f.account_id, f.id, f.is_active, a.timezone, ${hasAccessAt(now, 'a')} as has_access
  `.execute(ctx.db);
  return rows;
}

type Turn = { due: DueFlow; leaseEnd: Date; runner: Runner };

async function runDueFlow(ctx: Context, { due, leaseEnd, runner }: Turn): Promise<void> {
  const startedAt = performance.now();
  const tookMs = () => performance.now() - startedAt;
  const mustStop = () => runner.draining.aborted || tookMs() > turnMs;
  let isComplete = true;
  try {
    const account = { id: due.account_id, timezone: due.timezone };
    const result = await takeProfiles({ ...ctx, account }, { flowId: due.id, isByHand: false, mustStop });
    isComplete = result.isComplete;
    if (result.queued > 0) runner.onQueued();
  } catch (err) {
    ctx.logger.error({ err, flowId: due.id }, 'a flow could not be run');
  }
  if (isComplete && due.is_active && tookMs() < worthNotingMs) return;
  const lease = { accountId: due.account_id, flowId: due.id, leaseEnd };
  await noteRunEnd(ctx, { ...lease, tookMs: tookMs(), isComplete });
}
