import { useEffect, useEffectEvent } from 'react';

type InboxKeys = {
  /** To the next conversation (1), or the one before (-1). */
  onStep: (step: 1 | -1) => void;
  onReply: () => void;
  /** Done, or open again. */
  onDone: () => void;
  onSearch: () => void;
  /** Out of what is being written, then out of the conversation. */
  onLeave: () => void;
};

/** j and k, r, e, / and Escape, as long as nobody is writing and no dialog or menu is open. */
export function useInboxKeys(keys: InboxKeys): void {
  const handle = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null) return;
    const { target } = event;
    const isWriting = target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
    if (event.key === 'Escape') {
      if (isWriting) target.blur();
      else keys.onLeave();
      return;
    }
    const act = isWriting ? undefined : actionOf(event.key, keys);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    document.addEventListener('keydown', handle);
    return () => document.removeEventListener('keydown', handle);
  }, []);
}

function actionOf(key: string, { onStep, onReply, onDone, onSearch }: InboxKeys): (() => void) | undefined {
  switch (key) {
    case 'j':
      return () => onStep(1);
    case 'k':
      return () => onStep(-1);
    case 'r':
      return onReply;
    case 'e':
      return onDone;
    case '/':
      return onSearch;
    default:
      return undefined;
  }
}
