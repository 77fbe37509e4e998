import { randomId } from '../random-id.ts';

export type Toast = {
  readonly id: string;
  readonly kind: 'success' | 'error' | 'info';
  readonly text: string;
  readonly durationMs: number;
};

const defaultDurationMs = 3000;
const maxToasts = 3;

const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];

function replaceToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function show(kind: Toast['kind'], text: string, durationMs: number): void {
  replaceToasts([{ id: randomId(), kind, text, durationMs }, ...toasts].slice(0, maxToasts));
}

type NotifyOptions = { durationMs?: number };

/** Toasts: newest on top, at most three, gone after two to three seconds. */
export const notify = {
  success: (text: string, { durationMs = defaultDurationMs }: NotifyOptions = {}) => show('success', text, durationMs),
  error: (text: string, { durationMs = defaultDurationMs }: NotifyOptions = {}) => show('error', text, durationMs),
  info: (text: string, { durationMs = defaultDurationMs }: NotifyOptions = {}) => show('info', text, durationMs),
};

export function dismissToast(id: string): void {
  replaceToasts(toasts.filter((toast) => toast.id !== id));
}

export function getToasts(): readonly Toast[] {
  return toasts;
}

export function onToastsChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
