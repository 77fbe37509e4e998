import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

/** News of a webhook refresh it, as they do its records. */
export function webhookHealthQuery(projectId: number) {
  return queryOptions({
    queryKey: [...queryKeys.webhooks(projectId), 'health'],
    queryFn: ({ signal }) =>
      callApi('GET /api/projects/{projectId}/webhooks/health', { params: { projectId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}
