import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import { eventSpans } from './event-search.ts';
import type { EventSearch } from './event-search.ts';

const pageSize = 50;

type Asked = { [Key in 'name' | 'profile' | 'span']: EventSearch[Key] | undefined };

/** Events as they happened, the latest first. */
export function eventsQuery({ name, profile, span }: Asked) {
  return infiniteQueryOptions({
    queryKey: [...queryKeys.events, 'list', { name, profile, span }],
    queryFn: ({ pageParam: after, signal }) => {
      const ms = eventSpans.find(({ value }) => value === span)?.ms;
      const query = {
        limit: pageSize,
        ...(name !== undefined && { name }),
        ...(profile !== undefined && { profile_id: profile }),
        ...(ms !== undefined && { from: new Date(Date.now() - ms).toISOString() }),
        ...(after !== null && { after }),
      };
      return callApi('GET /api/events', { query }, { signal });
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next_cursor: after }) => after,
  });
}

/** A page of the names with their counts, and what the account uses of what it may. */
export function eventNamesQuery({ search, page }: { search: string; page: number }) {
  const query = { page, pageSize: 20, sort: 'last' as const, ...(search !== '' && { search }) };
  return queryOptions({
    queryKey: [...queryKeys.events, 'names', query],
    queryFn: ({ signal }) => callApi('GET /api/event-names', { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}
