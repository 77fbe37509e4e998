import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

export function conversationQuery(conversationId: number) {
  return queryOptions({
    queryKey: [...queryKeys.conversations, conversationId],
    queryFn: ({ signal }) =>
      callApi('GET /api/conversations/{conversationId}', { params: { conversationId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}
