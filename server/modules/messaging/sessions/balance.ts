import type { Context } from '#server/context.ts';
import { findBalance, findWorkers } from '#server/modules/numbers/links/index.ts';
import type { Balance } from '#server/modules/numbers/links/index.ts';

/** All phones are counted once in so long; between that, and what changes, the workers' own words are added up. */
const recountMs = 60_000;

export type BalanceReader = {
  /** Phones may have been added, freed or taken away: the next reading counts them. */
  changed(): void;
  read(): Promise<Balance>;
};

type Options = { owner: string; countHeld(): number };

/**
 * How the phones lie among the processes. A process that dies says nothing any more, so that what it held is free in the
 * sum as soon as its leases end.
 */
export function createBalanceReader(ctx: Context, { owner, countHeld }: Options): BalanceReader {
  let counted: { phones: number; at: number } | undefined;
  let changes = 0;
  return {
    changed() {
      changes += 1;
      counted = undefined;
    },
    async read() {
      if (counted !== undefined && performance.now() - counted.at < recountMs) {
        const { phones } = counted;
        const others = await findWorkers(ctx, owner);
        if (others.held !== null) {
          return { workers: 1 + others.workers, phones, free: Math.max(0, phones - others.held - countHeld()) };
        }
      }
      const [at, seen] = [performance.now(), changes];
      const balance = await findBalance(ctx, owner);
      // A change that came while they were counted has them counted once more.
      if (changes === seen) counted = { phones: balance.phones, at };
      return balance;
    },
  };
}
