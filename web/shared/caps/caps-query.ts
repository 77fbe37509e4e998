import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../api.ts';

export function capsQuery() {
  return queryOptions({
    queryKey: ['message-caps'],
    queryFn: async ({ signal }) => (await callApi('GET /api/message-caps', {}, { signal })).data,
  });
}
