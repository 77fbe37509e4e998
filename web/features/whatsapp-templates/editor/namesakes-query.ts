import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { queryKeys } from '#web/shared/queries.ts';
import type { TemplateDraft } from './draft.ts';

const pageSize = 100;

/** The same template in other languages, and the one itself. */
export function namesakesQuery({ name, account }: Pick<TemplateDraft, 'name' | 'account'>) {
  const query = { search: name.slice(0, 100), business_account_id: account, pageSize };
  return queryOptions({
    queryKey: [...queryKeys.whatsappTemplates, 'namesakes', query],
    queryFn: async ({ signal }) =>
      (await callApi('GET /api/whatsapp-templates', { query }, { signal })).data.filter((each) => each.name === name),
    enabled: name.length > 1 && account !== '',
  });
}
