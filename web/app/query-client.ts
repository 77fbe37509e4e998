import { keepPreviousData, MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError, hasStatus } from '#web/shared/api-error.ts';
import { refreshCurrentUser } from '#web/shared/current-user.ts';
import { revokeUnusedMedia } from '#web/shared/message/media/media-query.ts';
import { getSession } from '#web/shared/session.ts';

/** How long an answer passes for fresh; live events overrule it. */
const staleMs = 15_000;
const maxRetries = 2;
/** Doubled each time: a page that cannot be shown says so within seconds. */
const firstRetryMs = 400;

/** A refused call may mean that the session or the subscription has ended: asking for the current user settles it. */
function recheckAccess(error: unknown): void {
  const mayHaveEnded = hasStatus(error, 401) || hasStatus(error, 402);
  if (mayHaveEnded && getSession().token !== null) {
    void refreshCurrentUser();
  }
}

/** Only what another try may mend: no answer, or the server's own failure. Where it names a wait, the call has waited. */
function shouldRetry(failures: number, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.retryAfterMs !== undefined) return false;
  return (error.code === 'unreachable' || error.status >= 500) && failures < maxRetries;
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: recheckAccess }),
  mutationCache: new MutationCache({ onError: recheckAccess }),
  defaultOptions: {
    // Without a connection an action fails at once; one that waited would run by itself once there is one.
    mutations: { networkMode: 'always' },
    queries: {
      staleTime: staleMs,
      retry: shouldRetry,
      retryDelay: (failures) => firstRetryMs * 2 ** failures,
      placeholderData: keepPreviousData,
    },
  },
});
revokeUnusedMedia(queryClient);
