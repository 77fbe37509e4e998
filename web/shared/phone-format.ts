import { useSyncExternalStore } from 'react';
import { loadNumberPlans } from './number-plans.ts';

type Formatter = (digits: string) => string;

let formatter: Formatter | undefined;
let loading: Promise<void> | undefined;
const listeners = new Set<() => void>();

async function loadFormatter(): Promise<void> {
  formatter = (await loadNumberPlans()).format;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  loading ??= loadFormatter().catch(() => {
    loading = undefined;
  });
  return () => listeners.delete(listener);
}

const plainFormat: Formatter = (digits) => `+${digits}`;

/** Writes digits as people read them, `+1 415 555 0123`; until the numbering plans have loaded, `+14155550123`. */
export function usePhoneFormat(): Formatter {
  return useSyncExternalStore(subscribe, () => formatter) ?? plainFormat;
}
