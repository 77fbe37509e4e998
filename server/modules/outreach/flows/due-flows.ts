import { setTimeout as delay } from 'node:timers/promises';
import type { Context } from '#server/context.ts';
import { createFairTurns } from '#server/platform/fair-turns.ts';
import type { Task } from '#server/platform/service.ts';
import { createRunner } from '#server/platform/runner.ts';
import { findDueFlows } from './find-due-flows.ts';
import type { DueFlow } from './find-due-flows.ts';

/** How often flows are looked for that nobody notified of. */
const scanMs = 5_000;
/** Between two looks phones drain something, and other flows fall due. */
const shortestPauseMs = 25;

type Options = {
  /** The column that says when flows are due. */
  column: 'next_run_at' | 'next_feed_at';
  maxPerAccount: number;
  task: Task;
  /** Takes one flow a step further. Must not throw. */
  step(flow: DueFlow): Promise<void>;
};

/** Flows have turns when they are due: accounts by turns, whatever each of them has. */
export type DueFlows = { request(): void; stop(): Promise<void> };

/** Several accounts' turns are under way at once, so that a search of one that is slow holds up none of the others. */
const maxRunning = 6;

export function createDueFlows(ctx: Context, { column, maxPerAccount, task, step }: Options): DueFlows {
  let isStopped = false;
  const turns = createFairTurns<DueFlow>({
    maxRunning,
    maxPerAccount,
    async run(flow) {
      await step(flow);
      looking.request();
    },
  });
  const looking = createRunner(async () => {
    if (isStopped) return;
    const now = ctx.clock.now().getTime();
    for (const { at, ...flow } of await findDueFlows(ctx, { column, withinMs: scanMs })) {
      turns.wake(flow, Math.max(0, at.getTime() - now));
    }
    await delay(shortestPauseMs);
  }, task);
  const timer = setInterval(looking.request, scanMs);
  return {
    request: looking.request,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await looking.stop();
      await turns.stop();
    },
  };
}
