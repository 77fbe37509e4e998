/** Collects calls that come while the one before is under way, and runs them together. */
export type Batcher<T, R> = {
  /** Resolves with this item's own result once its batch ran; rejects with the batch's fault. */
  add(item: T): Promise<R>;
  isIdle(): boolean;
  /** Resolves once nothing is waiting or running. */
  idle(): Promise<void>;
};

type Waiting<T, R> = { item: T; resolve(result: R): void; reject(fault: unknown): void };

/**
 * `run` gets the items in the order they came and answers one result for each, in that order. One batch runs at a
 * time: under low load an item runs at once, alone; under high load one commit serves many.
 */
export function createBatcher<T, R>(run: (items: T[]) => Promise<R[]>, options: { maxItems: number }): Batcher<T, R> {
  const waiting: Waiting<T, R>[] = [];
  let running: Promise<void> | undefined;

  async function runOnce(): Promise<void> {
    const batch = waiting.splice(0, options.maxItems);
    try {
      const results = await run(batch.map(({ item }) => item));
      // A missing result is a fault of `run`; it must not leave its caller waiting for ever.
      if (results.length !== batch.length) throw new Error(`${results.length} results for ${batch.length} items`);
      batch.forEach(({ resolve }, index) => resolve(results[index] as R));
    } catch (fault) {
      for (const { reject } of batch) reject(fault);
    }
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
