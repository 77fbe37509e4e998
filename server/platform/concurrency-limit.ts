import type { BusyError } from './errors.ts';

/** Runs a few pieces of work at once, lets some more wait their turn, and refuses the rest. */
export type ConcurrencyLimit = {
  /** Throws `BusyError` at once when too many are waiting. */
  run<T>(work: () => Promise<T>): Promise<T>;
};

type Options = { maxRunning: number; maxWaiting: number; refusal: () => BusyError };

export function createConcurrencyLimit({ maxRunning, maxWaiting, refusal }: Options): ConcurrencyLimit {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function takeTurn(): Promise<void> {
    if (running < maxRunning) {
      running += 1;
      return;
    }
    if (waiting.length >= maxWaiting) throw refusal();
    await new Promise<void>((resolve) => waiting.push(resolve));
  }

  /** The turn passes straight to the next, so that nobody new slips in between. */
  function passTurn(): void {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }

  return {
    async run(work) {
      await takeTurn();
      try {
        return await work();
      } finally {
        passTurn();
      }
    },
  };
}
