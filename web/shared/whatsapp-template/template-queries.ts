import { queryOptions } from '@tanstack/react-query';
import { callApi } from '../api.ts';
import { noPlaceholder, queryKeys } from '../queries.ts';

const pickedFrom = 100;

export function whatsappTemplateQuery(whatsappTemplateId: number) {
  return queryOptions({
    queryKey: [...queryKeys.whatsappTemplates, whatsappTemplateId],
    queryFn: ({ signal }) =>
      callApi('GET /api/whatsapp-templates/{whatsappTemplateId}', { params: { whatsappTemplateId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

/** The templates that the numbers of a project may send now. */
export function approvedTemplatesQuery(projectId: number, search = '') {
  const query = { project_id: projectId, status: 'approved', search, pageSize: pickedFrom } as const;
  return queryOptions({
    queryKey: [...queryKeys.whatsappTemplates, 'approved', projectId, search],
    queryFn: ({ signal }) => callApi('GET /api/whatsapp-templates', { query }, { signal }),
  });
}

/** A template of the project's numbers in all its languages, whatever their states. */
export function namedTemplatesQuery(projectId: number, name: string) {
  const query = { project_id: projectId, name, pageSize: pickedFrom } as const;
  return queryOptions({
    queryKey: [...queryKeys.whatsappTemplates, 'named', projectId, name],
    queryFn: async ({ signal }) => (await callApi('GET /api/whatsapp-templates', { query }, { signal })).data,
    placeholderData: noPlaceholder,
  });
}
