import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import type { WhatsappTemplateSearch } from './template-search.ts';

export const pageSize = 50;

export function whatsappTemplatesQuery(search: WhatsappTemplateSearch) {
  const { page = 1, search: text, status, category, language, business_account_id } = search;
  const query = { page, pageSize, search: text, status, category, language, business_account_id };
  return queryOptions({
    queryKey: [...queryKeys.whatsappTemplates, 'list', query],
    queryFn: ({ signal }) => callApi('GET /api/whatsapp-templates', { query }, { signal }),
  });
}
