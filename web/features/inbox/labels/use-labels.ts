import { queryOptions, useQuery } from '@tanstack/react-query';
import type { ConversationLabel } from '#contracts/conversation-labels.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

export function labelsQuery(projectId: number) {
  return queryOptions({
    queryKey: queryKeys.labels(projectId),
    queryFn: ({ signal }) => callApi('GET /api/conversations/labels', { query: { project_id: projectId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

const none: readonly ConversationLabel[] = [];

/** The account's labels, with the open conversations of the project that have each; none until they are known. */
export function useLabels(projectId: number): readonly ConversationLabel[] {
  const { data } = useQuery(labelsQuery(projectId));
  return data?.data ?? none;
}
