import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Runner } from '#server/platform/runner.ts';
import type { Task } from '#server/platform/service.ts';

/** Poll interval, in case a notification was missed. */
const pollMs = 5_000;
/** Between two rounds phones drain something, and other flows fall due. */
const shortestPauseMs = 25;

type Rounds = {
  round(): Promise<void>;
  /** What says when flows are due for it. */
  dueColumn: 'next_run_at' | 'next_feed_at';
  task: Task;
};

/** Rounds of work: when asked for, when a flow falls due, and in any case after a while. */
export function createTimedRounds(ctx: Context, { round, dueColumn, task }: Rounds): Pick<Runner, 'request' | 'stop'> {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const runner = createRunner(async () => {
    clearTimeout(timer);
    await round();
    const next = await nextDue(ctx, dueColumn);
    const waitMs = next ? Math.min(pollMs, next.getTime() - ctx.clock.now().getTime()) : pollMs;
    if (isStopped) return;
    timer = setTimeout(runner.request, Math.max(shortestPauseMs, waitMs));
    await delay(shortestPauseMs);
  }, task);
  return {
    request: runner.request,
    async stop() {
      isStopped = true;
      await runner.stop();
      clearTimeout(timer);
    },
  };
}

// account-wide: a worker serves the flows of all accounts.
async function nextDue(ctx: Context, column: Rounds['dueColumn']): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(${sql.ref(column)}) as at from flows where ${sql.ref(column)} is not null
  `.execute(ctx.db);
  return rows[0]?.at ?? undefined;
}
