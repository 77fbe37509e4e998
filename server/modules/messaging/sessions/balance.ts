import type { Context } from '#server/context.ts';
import { findBalance, findWorkers } from '#server/modules/numbers/links/index.ts';
import type { Balance } from '#server/modules/numbers/links/index.ts';

/** All phones are counted once in so long, by one process for all; between that the workers' own words are added up. */
const recountMs = 60_000;
/** Not all at once. */
const spreadMs = 30_000;
/** Where phones seem to be free, no count that is older is believed. */
const confirmMs = 15_000;

export type BalanceReader = {
  /** Something may have been missed: no count of before is believed. */
  changed(): void;
  read(): Promise<Balance>;
};

type Options = { owner(): string; countHeld(): number };

/**
 * How the phones lie among the processes. A process that dies says nothing any more, so that what it held is free in the
 * sum as soon as its lease ends.
 */
export function createBalanceReader(ctx: Pick<Context, 'db'>, { owner, countHeld }: Options): BalanceReader {
  const longestMs = recountMs + Math.random() * spreadMs;
  // A process that starts anew has freed what it held before.
  let changedAt = performance.now();
  let workers = 0;
  return {
    changed() {
      changedAt = performance.now();
    },
    async read() {
      const others = await findWorkers(ctx, owner());
      const { phones: counted, countedMsAgo } = others;
      // Phones of a process that has gone may have come since the last count, and would not be missed in the sum.
      if (others.workers < workers) changedAt = performance.now();
      workers = others.workers;
      if (others.held !== null && counted !== null && countedMsAgo !== null) {
        const held = others.held + countHeld();
        const phones = Math.max(counted, held);
        const free = phones - held;
        const mostMs = Math.min(free > 0 ? confirmMs : longestMs, performance.now() - changedAt);
        if (countedMsAgo < mostMs) return { workers: 1 + others.workers, phones, free };
      }
      return findBalance(ctx, owner());
    },
  };
}
