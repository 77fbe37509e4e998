import type { Logger } from '#server/platform/logger.ts';

/** Work that is asked for again and again: one run at a time, and one more when it was asked for meanwhile. */
export type Runner = {
  request(): void;
  /** Asks for a run and waits until nothing more is to do. */
  run(): Promise<void>;
  idle(): Promise<void>;
};

/** A run that fails is logged; whoever asks next, a timer at the latest, starts another. */
export function createRunner(work: () => Promise<void>, logger: Logger): Runner {
  let running: Promise<void> | undefined;
  let isRequested = false;

  async function runAll(): Promise<void> {
    while (isRequested) {
      isRequested = false;
      try {
        await work();
      } catch (error) {
        logger.error({ err: error }, 'a run failed');
      }
    }
    running = undefined;
  }

  function request(): void {
    isRequested = true;
    running ??= runAll();
  }

  return {
    request,
    async run() {
      request();
      await running;
    },
    async idle() {
      await running;
    },
  };
}
