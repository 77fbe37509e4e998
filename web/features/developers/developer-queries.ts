import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

export function projectKeysQuery(projectId: number) {
  return queryOptions({
    queryKey: queryKeys.projectKeys(projectId),
    queryFn: ({ signal }) => callApi('GET /api/projects/{projectId}/keys', { params: { projectId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function endpointsQuery(projectId: number) {
  return queryOptions({
    queryKey: queryKeys.webhookEndpoints(projectId),
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/webhook-endpoints', { params: { projectId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}
