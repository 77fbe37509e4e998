import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { queryKeys } from '../queries.ts';

export function topicsQuery() {
  return queryOptions({
    queryKey: [...queryKeys.suppressions, 'topics'],
    queryFn: async ({ signal }) => (await callApi('GET /api/topics', {}, { signal })).data,
  });
}

export function numberTopicsQuery(phone: string) {
  return queryOptions({
    queryKey: [...queryKeys.suppressions, 'of', phone, 'topics'],
    queryFn: ({ signal }) => callApi('GET /api/consents/{phone}', { params: { phone: `+${phone}` } }, { signal }),
  });
}
