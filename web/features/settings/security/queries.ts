import { queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';

export function sessionsQuery() {
  return queryOptions({
    queryKey: ['sessions'],
    queryFn: async ({ signal }) => (await callApi('GET /api/user/sessions', {}, { signal })).data,
  });
}

export function securityEventsQuery() {
  return queryOptions({
    queryKey: ['security-events'],
    queryFn: async ({ signal }) => (await callApi('GET /api/user/security-events', {}, { signal })).data,
  });
}
