import { useSyncExternalStore } from 'react';

/** A sensitive act waits until the person has shown who they are, or has declined. */
export type IdentityQuestion = { readonly answer: (isConfirmed: boolean) => void };

const listeners = new Set<() => void>();
let open: { question: IdentityQuestion; answered: Promise<boolean> } | undefined;

function replace(next: typeof open): void {
  open = next;
  for (const listener of listeners) listener();
}

/** Resolves to whether the act may be tried again. Acts at the same time share one question. */
export function askForIdentity(): Promise<boolean> {
  if (open) return open.answered;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const answer = (isConfirmed: boolean) => {
    replace(undefined);
    resolve(isConfirmed);
  };
  replace({ question: { answer }, answered: promise });
  return promise;
}

export function useIdentityQuestion(): IdentityQuestion | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => open?.question,
  );
}
