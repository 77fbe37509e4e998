import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { PhoneNumber } from '#contracts/phone-numbers.ts';
import { callApi } from '#web/shared/api.ts';
import { noPlaceholder, queryKeys } from '#web/shared/queries.ts';

/** While Meta has not verified the callback of a number, the page looks for it. */
const setupPollMs = 3_000;

export function phoneQuery(phoneId: number) {
  return queryOptions({
    queryKey: queryKeys.phone(phoneId),
    queryFn: ({ signal }) => callApi('GET /api/phone-numbers/{phoneId}', { params: { phoneId } }, { signal }),
    placeholderData: noPlaceholder,
    refetchInterval: ({ state }) => (isSetUp(state.data) ? false : setupPollMs),
  });
}

const isSetUp = (phone: PhoneNumber | undefined) => !phone?.cloud || phone.cloud.webhook_seen_at !== null;

export function noticesQuery(phoneId: number, page: number, pageSize: number) {
  return queryOptions({
    queryKey: [...queryKeys.phone(phoneId), 'notices', page],
    queryFn: ({ signal }) =>
      callApi(
        'GET /api/phone-numbers/{phoneId}/notices',
        { params: { phoneId }, query: { page, pageSize } },
        { signal },
      ),
    placeholderData: keepPreviousData,
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
