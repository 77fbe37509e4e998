import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';

export const templatePageSize = 20;

type TemplateSearch = { page?: number; search?: string | undefined };

export function templatesQuery({ page = 1, search }: TemplateSearch) {
  const query = { page, pageSize: templatePageSize, search };
  return queryOptions({
    queryKey: [...queryKeys.templates, query],
    queryFn: ({ signal }) => callApi('GET /api/templates', { query }, { signal }),
    placeholderData: keepPreviousData,
  });
}
