import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';

export function sessionsQuery() {
  return queryOptions({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await callApi('GET /api/user/sessions', {}, { signal })).data,
  });
}

export function securityEventsQuery() {
  return infiniteQueryOptions({
    queryKey: ['security-events'],
    queryFn: ({ pageParam: after, signal }) => {
      const query = after === null ? {} : { after };
      return callApi('GET /api/user/security-events', { query }, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: after }) => after,
  });
}
