import { useEffect, useSyncExternalStore } from 'react';

let shown: string | undefined;
const listeners = new Set<() => void>();

function show(name: string | undefined): void {
  if (name === shown) return;
  shown = name;
  for (const listener of listeners) listener();
}

/** Gives the page the name of the one thing that it is about, for the header and the document's title; undefined: it has none yet. */
export function usePageName(name: string | undefined): void {
  useEffect(() => {
    show(name);
    return () => show(undefined);
  }, [name]);
}

/** Undefined on a page of many things, and while the one loads. */
export function useShownName(): string | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => shown,
  );
}
