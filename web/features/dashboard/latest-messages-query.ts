import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

const shownMessages = 6;

export function latestMessagesQuery(projectId: number) {
  const query = { page: 1, pageSize: shownMessages };
  return queryOptions({
    queryKey: [...queryKeys.messages(projectId), query],
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/messages', { params: { projectId }, query }, { signal }),
    placeholderData: keepPreviousData,
  });
}
