import { useSyncExternalStore } from 'react';

/** Without another word it is out of date: WhatsApp tells of changes alone, and only while somebody looks. */
const lastsMs = 10 * 60_000;
const mostKept = 200;

export type Online = { isOnline: boolean; lastSeenAt: string | null };

const listeners = new Set<() => void>();
const known = new Map<number, Online>();
const ends = new Map<number, ReturnType<typeof setTimeout>>();

function forget(conversationId: number): void {
  clearTimeout(ends.get(conversationId));
  ends.delete(conversationId);
  known.delete(conversationId);
}

/** Whether the person of a conversation is on WhatsApp, as the live stream says. */
export function noteOnline(conversationId: number, online: Online): void {
  forget(conversationId);
  const [oldest] = known.keys();
  if (known.size >= mostKept && oldest !== undefined) forget(oldest);
  known.set(conversationId, online);
  if (online.isOnline) {
    const end = () => {
      forget(conversationId);
      for (const listener of listeners) listener();
    };
    ends.set(conversationId, setTimeout(end, lastsMs));
  }
  for (const listener of listeners) listener();
}

/** Undefined where nothing is known. */
export function useOnline(conversationId: number): Online | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => known.get(conversationId),
  );
}
