import { useEffect } from 'react';
import { refreshCurrentUser } from '#web/shared/current-user.ts';

/** The longest that a browser's timer can wait is 24 days. */
const maxWaitMs = 86_400_000;
/** The server's clock decides; asked a little late, it has surely struck. */
const afterMs = 1000;

/** Asks for the current user once access has ended by the clock: nothing else tells the page of it. */
export function useAccessEnd(endsAt: string | undefined): void {
  useEffect(() => {
    if (endsAt === undefined) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = () => {
      const leftMs = Date.parse(endsAt) + afterMs - Date.now();
      if (leftMs <= 0) void refreshCurrentUser();
      else timer = setTimeout(wait, Math.min(leftMs, maxWaitMs));
    };
    timer = setTimeout(wait, 0);
    return () => clearTimeout(timer);
  }, [endsAt]);
}
