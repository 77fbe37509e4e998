import type { Logger } from '#server/platform/logger.ts';
import { createRunner } from './runner.ts';

/** Things that are told of again and again, each handled once for all that was told of it in a while. */
export type Gatherer<T> = {
  add(key: string, item: T): void;
  /** What was added and has not been handled is left. */
  stop(): Promise<void>;
};

export function createGatherer<T>(
  { logger, afterMs }: { logger: Logger; afterMs: number },
  handle: (items: T[]) => Promise<void>,
): Gatherer<T> {
  const gathered = new Map<string, T>();
  let timer: NodeJS.Timeout | undefined;
  const runner = createRunner(async () => {
    timer = undefined;
    const items = [...gathered.values()];
    gathered.clear();
    if (items.length > 0) await handle(items);
  }, logger);
  return {
    add(key, item) {
      gathered.set(key, item);
      timer ??= setTimeout(runner.request, afterMs);
    },
    async stop() {
      clearTimeout(timer);
      await runner.idle();
    },
  };
}
