import { Link, useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';
import { paths } from '#web/shared/paths.ts';
import {
  getReachability,
  noteSilence,
  onReachabilityChange,
  useIsOnline,
  useReachability,
} from '#web/shared/reachability.ts';
import { buttonClass } from '#web/shared/ui/button.tsx';
import { MessagePage } from './message-page.tsx';
import { nextTry } from './page-tries.ts';
import { ReloadButton } from './reload-button.tsx';

/** A page whose code is not there. Once the server answers it is fetched again, then with a reload that finds a newer version. */
export function UnfetchedPage() {
  const router = useRouter();
  const isOnline = useIsOnline();
  const isGone = useReachability() === 'gone';

  useEffect(() => {
    const unsubscribe = onReachabilityChange(() => {
      if (getReachability() !== 'answering') return;
      const next = nextTry(location.pathname, Date.now());
      if (next === 'fetch') void router.invalidate();
      if (next === 'reload') location.reload();
    });
    noteSilence();
    return unsubscribe;
  }, [router]);

  return (
    <MessagePage title="This page could not be loaded" text={textFor(isOnline, isGone)}>
      <ReloadButton label="Try again" />
      <Link to={paths.dashboard} className={buttonClass()}>
        Go to the dashboard
      </Link>
    </MessagePage>
  );
}

function textFor(isOnline: boolean, isGone: boolean): string {
  if (!isOnline) return 'You are offline. The page opens by itself once you are back.';
  if (isGone) return 'Dovepost cannot be reached right now. The page opens by itself once it is back.';
  return 'A part of it could not be fetched. Dovepost may just have been updated.';
}
