import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';

/** A single name of events with its hours and properties; null where no event has it. */
export function eventNameQuery(name: string) {
  return queryOptions({
    queryKey: [...queryKeys.events, 'name', name],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/event-names', { query: { name } }, { signal })).data[0] ?? null,
    placeholderData: noPlaceholder,
  });
}
