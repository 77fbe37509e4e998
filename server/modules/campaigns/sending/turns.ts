import type { CampaignRef } from '../queries.ts';

/** Gives campaigns their turns: each when it was asked for, one at a time for each, and few at once. */
export type Turns = {
  wake(ref: CampaignRef, afterMs: number): void;
  /** Starts no more; resolves once those under way are done. */
  stop(): Promise<void>;
};

type Due = { ref: CampaignRef; at: number };

/** `run` does not throw. One that is asked for while it runs has another turn after it. */
export function createTurns(options: { maxRunning: number; run(ref: CampaignRef): Promise<void> }): Turns {
  const waiting = new Map<number, Due>();
  const running = new Map<number, Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  function start({ ref }: Due): void {
    waiting.delete(ref.campaignId);
    const done = options.run(ref).finally(() => {
      running.delete(ref.campaignId);
      giveTurns();
    });
    running.set(ref.campaignId, done);
  }

  function giveTurns(): void {
    clearTimeout(timer);
    if (isStopped) return;
    const now = performance.now();
    const ready = [...waiting.values()]
      .filter(({ ref }) => !running.has(ref.campaignId))
      .toSorted((a, b) => a.at - b.at);
    for (const due of ready) {
      if (running.size >= options.maxRunning) return;
      if (due.at > now) {
        timer = setTimeout(giveTurns, Math.ceil(due.at - now));
        return;
      }
      start(due);
    }
  }

  return {
    wake(ref, afterMs) {
      if (isStopped) return;
      const at = performance.now() + afterMs;
      const known = waiting.get(ref.campaignId);
      if (known && known.at <= at) return;
      waiting.set(ref.campaignId, { ref, at });
      giveTurns();
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}
