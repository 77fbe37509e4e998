import { useSyncExternalStore } from 'react';

let text = '';
const listeners = new Set<() => void>();

/** Sets the count at the beginning of the document's title: `(3) `, or none. */
export function setTitleCount(count: string | undefined): void {
  const next = count === undefined ? '' : `(${count}) `;
  if (next === text) return;
  text = next;
  for (const listener of listeners) listener();
}

export function useTitleCount(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => text,
  );
}
