/** Lets logins through at a pace: a server that comes back is not met by every phone at once. */
export type LoginPace = {
  /** Resolves when the login may go ahead; rejects when the signal aborts first. */
  turn(signal: AbortSignal): Promise<void>;
};

export type LoginRate = { perSecond: number; burst: number };

export const loginRate: LoginRate = { perSecond: 2, burst: 10 };

/** `nowMs` is a clock that never goes back. */
export function createLoginPace({ perSecond, burst }: LoginRate, nowMs = () => performance.now()): LoginPace {
  const spacingMs = 1000 / perSecond;
  /** When the next login would go if none had gone ahead of its time. */
  let nextMs = Number.NEGATIVE_INFINITY;
  return {
    turn(signal) {
      const now = nowMs();
      nextMs = Math.max(nextMs, now - burst * spacingMs) + spacingMs;
      const waitMs = nextMs - now;
      return waitMs > 0 ? waitFor(waitMs, signal) : Promise.resolve();
    },
  };
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const give = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', give);
      resolve();
    }, ms);
    signal.addEventListener('abort', give, { once: true });
  });
}
