import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from './api.ts';
import { queryKeys } from './queries.ts';

/** As many as the server counts. */
const most = 1000;

export function conversationCountsQuery(projectId: number | null) {
  return queryOptions({
    queryKey: [...queryKeys.conversations, 'counts', projectId],
    queryFn: ({ signal }) =>
      callApi('GET /api/conversations/counts', { query: { project_id: projectId ?? 0 } }, { signal }),
    enabled: projectId !== null,
    placeholderData: keepPreviousData,
  });
}

/** `999+` for what is not counted further. */
export function countText(count: number): string {
  return count >= most ? '999+' : String(count);
}
