import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

/** The account's open alerts; live events refresh them. */
export function alertsQuery() {
  return queryOptions({
    queryKey: [...queryKeys.alerts, 'open'],
    queryFn: ({ signal }) => callApi('GET /api/alerts', { query: {} }, { signal }),
  });
}
