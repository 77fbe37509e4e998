import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '#server/platform/logger.ts';

const pauseMs = 1_000;

type Options = { signal: AbortSignal; logger: Logger; isFinal(error: unknown): boolean };

/** Repeats a write that the database did not take, until it stands, fails for good or the signal ends it. */
export async function untilDone<T>(action: () => Promise<T>, options: Options): Promise<T | undefined> {
  while (!options.signal.aborted) {
    try {
      return await action();
    } catch (error) {
      if (options.isFinal(error)) throw error;
      options.logger.error({ err: error }, 'a write failed and is repeated');
      await delay(pauseMs, undefined, { signal: options.signal }).catch(() => undefined);
    }
  }
  return undefined;
}
