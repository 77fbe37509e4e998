import { randomId } from '../random-id.ts';

export type Toast = {
  readonly id: string;
  readonly kind: 'success' | 'error' | 'info';
  readonly text: string;
  readonly durationMs: number;
  /** Something that can still be done about it, such as an undo. */
  readonly action: ToastAction | undefined;
};

export type ToastAction = { label: string; onSelect: () => void };

const defaultDurationMs = 3000;
/** Somebody has to read it, and to reach it. */
const actionDurationMs = 8000;
const maxToasts = 3;

const listeners = new Set<() => void>();
let toasts: readonly Toast[] = [];

function replaceToasts(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

type NotifyOptions = { durationMs?: number; action?: ToastAction };

function show(kind: Toast['kind'], text: string, { action, durationMs }: NotifyOptions = {}): void {
  const shownMs = durationMs ?? (action === undefined ? defaultDurationMs : actionDurationMs);
  replaceToasts([{ id: randomId(), kind, text, durationMs: shownMs, action }, ...toasts].slice(0, maxToasts));
}

/** Toasts: newest on top, at most three, gone after three seconds, or eight where something can be done about it. */
export const notify = {
  success: (text: string, options?: NotifyOptions) => show('success', text, options),
  error: (text: string, options?: NotifyOptions) => show('error', text, options),
  info: (text: string, options?: NotifyOptions) => show('info', text, options),
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
