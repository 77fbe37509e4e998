import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import type { ApiCall } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

export function projectKeysQuery(projectId: number) {
  return queryOptions({
    queryKey: queryKeys.projectKeys(projectId),
    queryFn: ({ signal }) => callApi('GET /api/projects/{projectId}/keys', { params: { projectId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

type RequestQuery = NonNullable<ApiCall<'GET /api/projects/{projectId}/requests'>['query']>;
export type RequestFilter = Pick<
  RequestQuery,
  'outcome' | 'method' | 'path' | 'request_id' | 'caller' | 'key_id' | 'created_after'
>;

export function requestLogQuery(projectId: number, filter: RequestFilter) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.requestLog(projectId), filter],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        'GET /api/projects/{projectId}/requests',
        {
          params: { projectId },
          query: { ...filter, limit: 25, ...(pageParam !== undefined && { after: pageParam }) },
        },
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  });
}
