import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import type { OptOutSearch } from './opt-out-search.ts';

const limit = 50;

export function suppressionsQuery({ search, by }: OptOutSearch) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.suppressions, 'list', { search, by }],
    queryFn: ({ pageParam, signal }) =>
      callApi('GET /api/suppressions', { query: { search, by, limit, after: pageParam } }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
}

export function optOutSettingsQuery() {
  return queryOptions({
    queryKey: [...queryKeys.suppressions, 'settings'],
    queryFn: ({ signal }) => callApi('GET /api/opt-out-settings', {}, { signal }),
  });
}
