import { useRef } from 'react';

/**
 * For dialogs that are opened by state and have no trigger for Radix to go back to: notes what had the focus, and
 * gives it back on closing. Where that is gone with the thing it belonged to, the page's content gets it.
 */
export function useReturnFocus() {
  const opener = useRef<Element>(null);
  return {
    noteOpener: () => {
      opener.current = document.activeElement;
    },
    returnFocus: (event: Event) => {
      event.preventDefault();
      const isThere = opener.current?.isConnected === true && opener.current !== document.body;
      const target = isThere ? opener.current : document.querySelector('main');
      if (target instanceof HTMLElement) target.focus({ preventScroll: true });
    },
  };
}
