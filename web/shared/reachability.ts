import { useSyncExternalStore } from 'react';

/** `silent`: a call got no answer; `gone`: neither did the question whether the server is there. */
export type Reachability = 'answering' | 'silent' | 'gone';

/** A server that takes longer to say that it is there is not. */
const probeLimitMs = 10_000;

const listeners = new Set<() => void>();
let reachability: Reachability = 'answering';

export function getReachability(): Reachability {
  return reachability;
}

export function setReachability(next: Reachability): void {
  if (next === reachability) return;
  reachability = next;
  for (const listener of listeners) listener();
}

/** A call got no answer: whether the server is gone, the next question settles. */
export function noteSilence(): void {
  if (reachability === 'answering') setReachability('silent');
}

export function onReachabilityChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useReachability(): Reachability {
  return useSyncExternalStore(onReachabilityChange, getReachability);
}

export function useIsOnline(): boolean {
  return useSyncExternalStore(onConnectionChange, () => navigator.onLine);
}

/** The browser gained or lost its connection. */
export function onConnectionChange(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Whether the server answers now. */
export async function isServerThere(signal?: AbortSignal): Promise<boolean> {
  if (!navigator.onLine) return false;
  try {
    const limit = AbortSignal.timeout(probeLimitMs);
    const response = await fetch('/healthz', {
      cache: 'no-store',
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    return response.ok;
  } catch {
    return false;
  }
}
