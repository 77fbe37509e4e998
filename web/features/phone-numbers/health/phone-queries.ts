import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

export function phoneQuery(phoneId: number) {
  return queryOptions({
    queryKey: queryKeys.phone(phoneId),
    queryFn: ({ signal }) => callApi('GET /api/phone-numbers/{phoneId}', { params: { phoneId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function healthHistoryQuery(phoneId: number) {
  return queryOptions({
    queryKey: [...queryKeys.phone(phoneId), 'health'],
    queryFn: ({ signal }) => callApi('GET /api/phone-numbers/{phoneId}/health', { params: { phoneId } }, { signal }),
    placeholderData: noPlaceholder,
  });
}

export function phoneLogQuery(phoneId: number, page: number, pageSize: number) {
  return queryOptions({
    queryKey: [...queryKeys.phone(phoneId), 'log', page],
    queryFn: ({ signal }) =>
      callApi('GET /api/phone-numbers/{phoneId}/log', { params: { phoneId }, query: { page, pageSize } }, { signal }),
    placeholderData: keepPreviousData,
  });
}
