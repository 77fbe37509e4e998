import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

/** What the account is told of, while it lasts; live events refresh it. */
export function alertsQuery() {
  return queryOptions({
    queryKey: [...queryKeys.alerts, 'open'],
    queryFn: ({ signal }) => callApi('GET /api/alerts', { query: {} }, { signal }),
  });
}
