import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

const shownMessages = 6;

/** With the names of those whom they are about. */
export function latestMessagesQuery(projectId: number) {
  const query = { project_id: String(projectId), limit: shownMessages };
  return queryOptions({
    queryKey: [...queryKeys.allMessages, 'latest', query],
    queryFn: ({ signal }) => callApi('GET /api/messages', { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}
