import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import { createRunner } from '#server/platform/runner.ts';
import type { Runner } from '#server/platform/runner.ts';

/** How often work is looked for that nobody told of. */
const scanMs = 5_000;
/** Between two rounds phones drain something, and other flows fall due. */
const shortestPauseMs = 25;

type Rounds = {
  round(): Promise<void>;
  /** What says when flows are due for it. */
  dueColumn: 'next_run_at' | 'next_feed_at';
  /** Aborted when no further round is to begin. */
  signal: AbortSignal;
};

/** Rounds of work: when asked for, when a flow falls due, and in any case after a while. */
export function createTimedRounds(
  ctx: Context,
  { round, dueColumn, signal }: Rounds,
): Pick<Runner, 'request' | 'idle'> {
  let timer: NodeJS.Timeout | undefined;
  const runner = createRunner(async () => {
    clearTimeout(timer);
    if (signal.aborted) return;
    let waitMs = scanMs;
    try {
      await round();
      const next = await nextDue(ctx, dueColumn);
      if (next) waitMs = Math.min(scanMs, next.getTime() - ctx.clock.now().getTime());
    } finally {
      if (!signal.aborted) timer = setTimeout(runner.request, Math.max(shortestPauseMs, waitMs));
    }
    await delay(shortestPauseMs);
  }, ctx.logger);
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return runner;
}

// account-wide: a worker serves the flows of all accounts.
async function nextDue(ctx: Context, column: Rounds['dueColumn']): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(${sql.ref(column)}) as at from flows where ${sql.ref(column)} is not null
  `.execute(ctx.db);
  return rows[0]?.at ?? undefined;
}
