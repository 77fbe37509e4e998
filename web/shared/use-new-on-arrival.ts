import { useNavigate, useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Somebody comes to make something: the page opens its dialog for that. */
    isNewWanted?: boolean;
    /** The number that a new message is to. */
    newNumber?: string;
  }
}

/** Opens the page's dialog for something new when that is what somebody came for. A reload does not ask again. */
export function useNewOnArrival(open: (number: string | undefined) => void): void {
  // Not the location on its way: the page that is being left would take what the next one is asked for.
  const isWanted = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.isNewWanted === true });
  const number = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.state.newNumber });
  const navigate = useNavigate();
  const openArrived = useEffectEvent(open);
  const take = useEffectEvent(async () => {
    const asked = number;
    // First, as the dialog may be a step of the history itself.
    await navigate({ to: '.', search: true, replace: true, resetScroll: false });
    openArrived(asked);
  });
  useEffect(() => {
    if (isWanted) void take();
  }, [isWanted]);
}
