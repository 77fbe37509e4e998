import { useSyncExternalStore } from 'react';

/** As long as one word of it holds (`conversations.typing`). */
const lastsMs = 15_000;

const listeners = new Set<() => void>();
const ends = new Map<number, ReturnType<typeof setTimeout>>();

function tell(): void {
  for (const listener of listeners) listener();
}

/** Whether the person of a conversation is writing, as the live stream says. */
export function noteTyping(conversationId: number, isTyping: boolean): void {
  const before = ends.get(conversationId);
  if (before === undefined && !isTyping) return;
  clearTimeout(before);
  ends.delete(conversationId);
  if (isTyping) {
    ends.set(
      conversationId,
      setTimeout(() => noteTyping(conversationId, false), lastsMs),
    );
  }
  if (isTyping !== (before !== undefined)) tell();
}

export function useIsTyping(conversationId: number): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => ends.has(conversationId),
  );
}
