import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Assignee } from '#contracts/conversations.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

function assigneesQuery(projectId: number) {
  return queryOptions({
    queryKey: queryKeys.assignees(projectId),
    queryFn: ({ signal }) =>
      callApi('GET /api/conversations/assignees', { query: { project_id: projectId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

const nobody: readonly Assignee[] = [];

/** The members who may be assigned conversations of the project; empty until it is known. */
export function useAssignees(projectId: number): readonly Assignee[] {
  const { data } = useQuery(assigneesQuery(projectId));
  return data?.data ?? nobody;
}
