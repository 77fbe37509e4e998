import { splitBatch } from './split-batch.ts';

/** Collects calls that come while the one before is under way, and runs them together. */
export type Batcher<T, R> = {
  /** Resolves with this item's own result once its batch ran; rejects with its own fault, or with one of them all. */
  add(item: T): Promise<R>;
  isIdle(): boolean;
  /** Resolves once nothing is waiting or running. */
  idle(): Promise<void>;
};

type Waiting<T, R> = { item: T; resolve(result: R): void; reject(fault: unknown): void };

/**
 * `run` gets the items in the order they came and answers one result for each, in that order; it does all or nothing,
 * and is called again with fewer items after a fault of one (`splitBatch`). Only one batch runs at a time: under low
 * load an item runs at once, alone; under high load one commit serves many.
 */
export function createBatcher<T, R>(
  run: (items: T[]) => Promise<readonly R[]>,
  options: { maxItems: number },
): Batcher<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let running: Promise<void> | undefined;

  async function runOnce(): Promise<void> {
    const batch = waiting.splice(0, options.maxItems);
    const settled = await splitBatch(
      batch.map(({ item }) => item),
      run,
    );
    settled.forEach((result, index) => {
      if (result.status === 'fulfilled') batch[index]?.resolve(result.value);
      else batch[index]?.reject(result.reason);
    });
  }

  async function runAll(): Promise<void> {
    // Items added in the same turn of the event loop share a batch.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await runOnce();
    running = undefined;
  }

  return {
    add(item) {
      return new Promise((resolve, reject) => {
        waiting.push({ item, resolve, reject });
        running ??= runAll();
      });
    },
    isIdle: () => running === undefined,
    async idle() {
      while (running) await running;
    },
  };
}
