import { DovepostError, errorOf } from './dovepost-error.ts';

export type RepeatOptions = {
  /** Sends a single request; rejects with a `DovepostError` when there is no answer. */
  send(): Promise<Response>;
  /** How long to wait before it is sent again; undefined where it is not. */
  waitBeforeRetry(error: DovepostError, retries: number): number | undefined;
  signal?: AbortSignal | undefined;
};

/** Sends a request until it succeeds or is not to be sent again; then it throws the last error. */
export async function repeat({ send, waitBeforeRetry, signal }: RepeatOptions): Promise<Response> {
  for (let retries = 0; ; retries += 1) {
    const answer = await send().catch((error: unknown) => {
      if (error instanceof DovepostError) return error;
      throw error;
    });
    if (!(answer instanceof DovepostError) && answer.ok) return answer;
    const error = answer instanceof DovepostError ? answer : await errorOf(answer);
    const waitMs = waitBeforeRetry(error, retries);
    if (waitMs === undefined) throw error;
    await wait(waitMs, signal);
  }
}

/** Rejects as `fetch` does once it is called off. */
export async function wait(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, ms);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
