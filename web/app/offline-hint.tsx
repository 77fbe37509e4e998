import { WifiOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

/** Says when the browser has no connection; what is on the page stays readable. */
export function OfflineHint() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status" className="pointer-events-none fixed inset-x-0 bottom-4 z-70 flex justify-center px-4">
      {!isOnline && (
        <p className="flex items-center gap-2 rounded-base bg-raised px-3.5 py-2 text-13 font-medium shadow-popover">
          <WifiOff aria-hidden="true" className="size-4 text-yellow-ink" />
          You are offline. What you see may be out of date.
        </p>
      )}
    </div>
  );
}
