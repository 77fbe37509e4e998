import { CloudOff, WifiOff } from 'lucide-react';
import { useReachability, useIsOnline } from '#web/shared/reachability.ts';
import { useServerWatch } from './use-server-watch.ts';

/** Says for as long as it lasts that there is no connection or no server; what is on the page stays readable. */
export function ConnectionBanner() {
  const isOnline = useIsOnline();
  const isGone = useReachability() === 'gone';
  useServerWatch();
  const text = isOnline ? isGone && goneText : offlineText;
  const Icon = isOnline ? CloudOff : WifiOff;
  return (
    <div
      role="status"
      className={text === false ? 'sr-only' : 'sticky top-0 z-60 h-(--banner) border-b bg-yellow-wash text-yellow-ink'}
      data-connection-banner={text === false ? undefined : ''}
    >
      {text !== false && (
        <p className="flex h-full items-center justify-center gap-2 px-4 text-13 font-medium">
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          <span className="truncate">{text}</span>
        </p>
      )}
    </div>
  );
}

const offlineText = 'You are offline. What you see may be out of date.';
const goneText = 'Dovepost cannot be reached. Trying again…';
