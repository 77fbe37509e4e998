import { useEffect, useRef, useState } from 'react';
import { notify } from './ui/toast-store.ts';

const tickMs = 2000;
const toastMs = 2000;

/** Puts a text on the clipboard and says so by toast; `isCopied` holds for two seconds. */
export function useCopy(texts: { copied: string; failed: string }) {
  const [isCopied, setCopied] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  async function copy(value: string): Promise<void> {
    try {
      await navigator.clipboard.writeText(value);
    } catch {
      notify.error(texts.failed);
      return;
    }
    setCopied(true);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setCopied(false), tickMs);
    notify.success(texts.copied, { durationMs: toastMs });
  }

  return { isCopied, copy };
}
