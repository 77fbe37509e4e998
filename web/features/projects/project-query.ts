import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

export function projectQuery(projectId: number) {
  return queryOptions({
    queryKey: queryKeys.project(projectId),
    queryFn: ({ signal }) => callApi('GET /api/projects/{projectId}', { params: { projectId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}
