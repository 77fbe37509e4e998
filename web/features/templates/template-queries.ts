import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';
import type { TemplateSearch } from './template-search.ts';

export const pageSize = 50;

export function templatesQuery({ page = 1, search, sort, order }: TemplateSearch) {
  const query = { page, pageSize, search, sort, order };
  return queryOptions({
    queryKey: [...queryKeys.templates, 'list', query],
    queryFn: ({ signal }) => callApi('GET /api/templates', { query }, { signal }),
  });
}

export function templateQuery(templateId: number) {
  return queryOptions({
    queryKey: [...queryKeys.templates, templateId],
    queryFn: ({ signal }) => callApi('GET /api/templates/{templateId}', { params: { templateId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}
