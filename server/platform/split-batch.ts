import { ProblemError } from './errors.ts';
import { isTransient } from './db/errors.ts';

/** A refusal answers all of a batch alike, and a database that is away takes no half of it either. */
const concernsAll = (error: unknown) => error instanceof ProblemError || isTransient(error);

/**
 * Runs a batch, which succeeds or fails as a whole. After an error that lies in one of its items each half runs by
 * itself, until the item that fails stands alone: at most twice as many runs as items. Answers what became of each, in
 * their order. After an error that concerns all (`isTransient`, a `ProblemError`) nothing more is run: the items that
 * are left have that error.
 */
export async function splitBatch<T, R>(
  items: readonly T[],
  run: (items: T[]) => Promise<readonly R[]>,
): Promise<PromiseSettledResult<R>[]> {
  const settled: PromiseSettledResult<R>[] = [];
  const parts: T[][] = items.length > 0 ? [[...items]] : [];
  for (let part = parts.pop(); part; part = parts.pop()) {
    try {
      const results = await run(part);
      // A missing result is a fault of `run`; it must not leave its caller waiting for ever.
      if (results.length !== part.length) throw new Error(`${results.length} results for ${part.length} items`);
      settled.push(...results.map((value) => ({ status: 'fulfilled', value }) as const));
    } catch (reason) {
      const half = Math.ceil(part.length / 2);
      if (concernsAll(reason)) {
        const left = part.length + parts.splice(0).flat().length;
        settled.push(...Array.from({ length: left }, () => ({ status: 'rejected', reason }) as const));
      } else if (part.length === 1) settled.push({ status: 'rejected', reason });
      else parts.push(part.slice(half), part.slice(0, half));
    }
  }
  return settled;
}
