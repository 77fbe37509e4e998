import { isTransient } from './db/errors.ts';
import { createRunner } from './runner.ts';
import type { Task } from './service.ts';
import { splitBatch } from './split-batch.ts';

/** Coalesces items per key, and handles together what came within a while. */
export type Gatherer<T> = {
  add(key: string, item: T): void;
  /** Items that were added and not yet handled are dropped. */
  stop(): Promise<void>;
};

/**
 * `handle` gets the last item of each key. While the database is away they wait, together with later ones; an item that
 * cannot be handled is an error of the task and is dropped.
 */
export function createGatherer<T>(
  { task, afterMs }: { task: Task; afterMs: number },
  handle: (items: T[]) => Promise<void>,
): Gatherer<T> {
  let gathered = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;

  async function handleAll(): Promise<void> {
    timer = undefined;
    const taken = [...gathered];
    gathered = new Map();
    const settled = await splitBatch(taken, async (part) => {
      await handle(part.map(([, item]) => item));
      return part;
    });
    const failed = taken.flatMap((entry, index) => {
      const result = settled[index];
      return result?.status === 'rejected' ? [{ entry, reason: result.reason as unknown }] : [];
    });
    const waiting = failed.filter(({ reason }) => isTransient(reason));
    for (const { reason } of failed) if (!isTransient(reason)) task.failed(reason);
    gathered = new Map([...waiting.map(({ entry }) => entry), ...gathered]);
    if (waiting[0]) throw waiting[0].reason;
  }

  const runner = createRunner(handleAll, task);
  return {
    add(key, item) {
      gathered.set(key, item);
      timer ??= setTimeout(runner.request, afterMs);
    },
    async stop() {
      clearTimeout(timer);
      await runner.stop();
    },
  };
}
