import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { afterPaint } from '#web/shared/after-paint.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { useSession } from '#web/shared/session.ts';
import { followEvents } from './live-stream.ts';
import { createLiveEventApplier } from './apply-live-event.ts';

/** Keeps what the page shows up to date while somebody is signed in who has a subscription. */
export function useLiveEvents(): void {
  const queryClient = useQueryClient();
  const { token, subscription } = useSession();
  const listensAs = subscription?.hasActiveSubscription === false ? null : token;
  const isLoaded = useRef(false);
  useEffect(() => {
    // For a user who is signed in on load, requests began in the page's head.
    const askedFromMs = isLoaded.current ? performance.now() : 0;
    isLoaded.current = true;
    if (listensAs === null) return undefined;
    const controller = new AbortController();
    const live = createLiveEventApplier(queryClient);
    const { signal } = controller;
    const onRefused = () => void refreshCurrentUser();
    const callOff = afterPaint(() => followEvents(live.apply, { askedFromMs, signal, onRefused }));
    return () => {
      callOff();
      controller.abort();
      live.stop();
    };
  }, [queryClient, listensAs]);
}
