import { randomId } from '#web/shared/random-id.ts';
import type { PauseRequest } from './pause-worker.ts';

let worker: Worker | undefined;

/** Waits, punctually also while the page is in the background. Ends at once, and well, when `signal` aborts. */
export function pause(pauseMs: number, signal: AbortSignal): Promise<void> {
  if (pauseMs <= 0 || signal.aborted) return Promise.resolve();
  worker ??= new Worker(new URL('./pause-worker.ts', import.meta.url), { type: 'module' });
  const timer = worker;
  const request: PauseRequest = { id: randomId(), pauseMs };
  return new Promise((resolve) => {
    const end = () => {
      timer.removeEventListener('message', handleMessage);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const handleMessage = ({ data }: MessageEvent<string>) => {
      if (data === request.id) end();
    };
    timer.addEventListener('message', handleMessage);
    signal.addEventListener('abort', end);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin to name
    timer.postMessage(request);
  });
}
