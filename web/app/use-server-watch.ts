import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isServerThere, onConnectionChange, setReachability, useReachability } from '#web/shared/reachability.ts';

const firstPauseMs = 1000;
const maxPauseMs = 10_000;

/** After a call without an answer: asks until the server is there, then brings the page up to date. */
export function useServerWatch(): void {
  const queryClient = useQueryClient();
  const isSilent = useReachability() !== 'answering';
  useEffect(() => {
    if (!isSilent) return undefined;
    const controller = new AbortController();
    void watch(controller.signal).then(() => {
      if (controller.signal.aborted) return undefined;
      setReachability('answering');
      return queryClient.invalidateQueries();
    });
    return () => controller.abort();
  }, [isSilent, queryClient]);
}

async function watch(signal: AbortSignal): Promise<void> {
  let pauseMs = firstPauseMs;
  while (!signal.aborted && !(await isServerThere(signal))) {
    if (signal.aborted) return;
    setReachability('gone');
    await pause(pauseMs, signal);
    pauseMs = Math.min(maxPauseMs, pauseMs * 1.5);
  }
}

/** Ends early when the browser's connection comes or goes. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms);
    const forgetConnection = onConnectionChange(end);
    signal.addEventListener('abort', end);
    function end(): void {
      clearTimeout(timer);
      forgetConnection();
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
