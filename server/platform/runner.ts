import { pauseAfter, spread } from './backoff.ts';
import type { Task } from './service.ts';

/**
 * Work that is asked for again and again: one run at a time, and one more when it was asked for meanwhile. A run that
 * fails is repeated, after a pause that grows with each failure.
 */
export type Runner = {
  request(): void;
  /** Asks for a run and waits until nothing more is to do, or a run has failed. */
  run(): Promise<void>;
  /** Begins no further run; resolves once the one under way has ended. */
  stop(): Promise<void>;
};

/** How long background work pauses after so many failures in a row. */
export function pauseAfterFailures(failures: number, longestMs = 15_000): number {
  return spread(pauseAfter(failures, { firstMs: 250, longestMs }));
}

export function createRunner(
  work: () => Promise<void>,
  task: Task,
  { longestPauseMs }: { longestPauseMs?: number } = {},
): Runner {
  let running: Promise<void> | undefined;
  let pause: NodeJS.Timeout | undefined;
  let failures = 0;
  let isRequested = false;
  let isStopped = false;

  async function runAll(): Promise<void> {
    while (isRequested && !isStopped && !pause) {
      isRequested = false;
      const startedAt = performance.now();
      try {
        await work();
        failures = 0;
        task.succeeded(startedAt);
      } catch (error) {
        failures += 1;
        task.failed(error);
        retryLater();
      }
    }
    running = undefined;
  }

  function retryLater(): void {
    if (isStopped) return;
    pause = setTimeout(
      () => {
        pause = undefined;
        isRequested = true;
        running ??= runAll();
      },
      pauseAfterFailures(failures, longestPauseMs),
    );
  }

  function request(): void {
    if (isStopped) return;
    task.requested();
    isRequested = true;
    if (!pause) running ??= runAll();
  }

  return {
    request,
    async run() {
      request();
      await running;
    },
    async stop() {
      isStopped = true;
      clearTimeout(pause);
      await running;
    },
  };
}
