import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';

export function teamQuery() {
  return queryOptions({ queryKey: ['team'], queryFn: ({ signal }) => callApi('GET /api/team', {}, { signal }) });
}
