import { useEffect, useEffectEvent, useRef } from 'react';
import { notify } from '#web/shared/ui/toast-store.ts';

/** So many older pages are fetched to find a message. */
const maxPages = 20;

type Options = {
  ids: readonly number[] | undefined;
  hasOlder: boolean;
  isLoadingOlder: boolean;
  loadOlder: () => void;
  /** Called once the message is among those that are shown. */
  onFound: (messageId: number) => void;
};

/** Goes to a message further up: older ones are fetched until it is there. */
export function useJump({ ids, hasOlder, isLoadingOlder, loadOlder, onFound }: Options) {
  const sought = useRef<{ messageId: number; pages: number }>(undefined);

  function look(): void {
    if (sought.current === undefined || isLoadingOlder) return;
    const { messageId, pages } = sought.current;
    if (ids?.includes(messageId)) {
      sought.current = undefined;
      onFound(messageId);
    } else if (!hasOlder || pages >= maxPages) {
      sought.current = undefined;
      notify.error('This message is too far back to be shown here');
    } else {
      sought.current = { messageId, pages: pages + 1 };
      loadOlder();
    }
  }

  // Whenever more has come.
  const lookAgain = useEffectEvent(look);
  useEffect(() => lookAgain());

  return {
    jumpTo(messageId: number): void {
      sought.current = { messageId, pages: 0 };
      look();
    },
  };
}
