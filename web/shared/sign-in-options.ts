import { queryOptions } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import type { SignInOptions } from '#contracts/oidc.ts';
import { hasStatus } from './api-error.ts';
import { callApi } from './api.ts';

const ofOlderServer: SignInOptions = { sign_up: 'open', oidc: null };

/** The operator's settings; a server of the release before does not say them. */
export function signInOptionsQuery() {
  return queryOptions({
    queryKey: ['sign-in-options'],
    queryFn: async ({ signal }) => {
      try {
        return await callApi('GET /api/auth/options', {}, { signal });
      } catch (error) {
        if (hasStatus(error, 404)) return ofOlderServer;
        throw error;
      }
    },
    staleTime: Infinity,
  });
}

const patienceMs = 1_000;

/** Before a page that shows them, so that none of it moves; without an answer the page comes without them. */
export async function awaitSignInOptions(client: QueryClient): Promise<void> {
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, patienceMs);
  });
  await Promise.race([client.prefetchQuery(signInOptionsQuery()), patience]);
}
