import type { LiveEvent } from '#contracts/live.ts';
import type { Context } from '#server/context.ts';
import { subscribeLive } from './subscribe-live.ts';

/** Waits for something that another process, or a later moment, brings about. Declare it with `using`. */
export type LiveWatch = Disposable & {
  /**
   * Runs `check` at once, after every event that matters, and a last time when `timeoutMs` are over; answers whether
   * it became true. A fault of `check` is thrown.
   */
  until(check: () => Promise<boolean>, timeoutMs: number): Promise<boolean>;
};

/** Watches from now on, so that nothing is missed between asking for a change and waiting for it. */
export function watchLive(ctx: Pick<Context, 'process'>, isRelevant: (event: LiveEvent) => boolean): LiveWatch {
  let hasChanged = false;
  let wake: (() => void) | undefined;
  const unsubscribe = subscribeLive(ctx, (event) => {
    if (event.type !== 'resync' && !isRelevant(event)) return;
    hasChanged = true;
    wake?.();
  });
  return {
    async until(check, timeoutMs) {
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
        wake?.();
      }, timeoutMs);
      try {
        for (;;) {
          hasChanged = false;
          if (await check()) return true;
          if (isOver) return false;
          if (!hasChanged) await new Promise<void>((resolve) => (wake = resolve));
        }
      } finally {
        clearTimeout(timer);
      }
    },
    [Symbol.dispose]: unsubscribe,
  };
}
