import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

export function teamQuery() {
  return queryOptions({ queryKey: queryKeys.team, queryFn: ({ signal }) => callApi('GET /api/team', {}, { signal }) });
}
